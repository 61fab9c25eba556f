package wire

import (
	"errors"
	"fmt"
)

// A Format is an encoding of messages.
type Format uint8

// The formats. The zero Format is JSON.
const (
	JSON Format = iota
	Msgpack
	Proto
)

// ErrFormat means that a message's code was generated without the format that
// was asked for.
var ErrFormat = errors.New("no code for this format")

// String returns the format's name: "json", "msgpack" or "proto".
func (f Format) String() string {
	switch f {
	case JSON:
		return "json"
	case Msgpack:
		return "msgpack"
	case Proto:
		return "proto"
	}
	return fmt.Sprintf("Format(%d)", uint8(f))
}

// ContentType returns the format's media type, which travels in the
// "content-type" header of a bus that has headers.
func (f Format) ContentType() string {
	switch f {
	case JSON:
		return "application/json"
	case Msgpack:
		return "application/msgpack"
	case Proto:
		return "application/protobuf"
	}
	return "application/octet-stream"
}

// Detect returns the format of a message's bytes: as contentType says, or, where
// that is empty or unknown, by the first byte. A message is an object in JSON
// and a map in msgpack, which never begin alike. Protobuf's bytes can begin as
// theirs do, so it is known by contentType alone.
func Detect(contentType string, data []byte) (Format, error) {
	switch contentType {
	case JSON.ContentType():
		return JSON, nil
	case Msgpack.ContentType(), "application/x-msgpack", "application/vnd.msgpack":
		return Msgpack, nil
	case Proto.ContentType(), "application/x-protobuf", "application/vnd.google.protobuf":
		return Proto, nil
	}
	for _, c := range data {
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			continue
		case c == '{':
			return JSON, nil
		case c&0xf0 == 0x80 || c == 0xde || c == 0xdf:
			return Msgpack, nil
		}
		break
	}
	return 0, fmt.Errorf("%w: neither a JSON object nor a msgpack map", ErrSyntax)
}

// Append appends the message to b in the given format.
func Append(f Format, b []byte, message any) ([]byte, error) {
	switch f {
	case JSON:
		if m, ok := message.(interface {
			AppendJSON(b []byte) ([]byte, error)
		}); ok {
			return m.AppendJSON(b)
		}
	case Msgpack:
		if m, ok := message.(interface {
			AppendMsgpack(b []byte) ([]byte, error)
		}); ok {
			return m.AppendMsgpack(b)
		}
	case Proto:
		if m, ok := message.(interface {
			AppendProto(b []byte) ([]byte, error)
		}); ok {
			return m.AppendProto(b)
		}
	}
	return b, fmt.Errorf("wire: %T as %s: %w", message, f, ErrFormat)
}

// Unmarshal reads the message from data in the given format.
func Unmarshal(f Format, data []byte, message any) error {
	switch f {
	case JSON:
		if m, ok := message.(interface{ UnmarshalJSON(data []byte) error }); ok {
			return m.UnmarshalJSON(data)
		}
	case Msgpack:
		if m, ok := message.(interface{ UnmarshalMsgpack(data []byte) error }); ok {
			return m.UnmarshalMsgpack(data)
		}
	case Proto:
		if m, ok := message.(interface{ UnmarshalProto(data []byte) error }); ok {
			return m.UnmarshalProto(data)
		}
	}
	return fmt.Errorf("wire: %T from %s: %w", message, f, ErrFormat)
}
