package codecs

import (
	"bytes"

	"github.com/mailru/easyjson"
	"github.com/tinylib/msgp/msgp"
	"google.golang.org/protobuf/proto"
)

// A tool encodes and decodes one message in one codec.
type tool struct {
	name string
	// encode returns the message in a buffer that the next call uses again.
	encode func() ([]byte, error)
	// marshal returns the message in a buffer of its own.
	marshal func() ([]byte, error)
	// decode returns what data holds in a new message.
	decode func(data []byte) (any, error)
	// again returns it in the message that the call before returned.
	again func(data []byte) (any, error)
	// alias and aliasAgain are decode and again for a message that shares data's
	// memory. Only coordgen's tools have them.
	alias, aliasAgain func(data []byte) (any, error)
}

// modal returns t, which decodes in the modes that a function has.
func modal(t tool, in func(mode) func(data []byte) (any, error)) tool {
	t.decode = in(mode{})
	t.again = in(mode{reuse: true})
	t.alias = in(mode{alias: true})
	t.aliasAgain = in(mode{alias: true, reuse: true})
	return t
}

// reading returns t, which decodes by a function that fills a message.
func reading[M any](t tool, read func([]byte, *M) error) tool {
	return rereading(t, read, read)
}

// rereading returns t, which decodes by a function for new messages and one for
// those used before.
func rereading[M any](t tool, read, reread func([]byte, *M) error) tool {
	used := new(M)
	t.decode = func(data []byte) (any, error) {
		m := new(M)
		return m, read(data, m)
	}
	t.again = func(data []byte) (any, error) {
		return used, reread(data, used)
	}
	return t
}

// appending makes a tool's encode of a function that appends to a buffer.
func appending(write func([]byte) ([]byte, error)) func() ([]byte, error) {
	var buffer []byte
	return func() (_ []byte, err error) {
		buffer, err = write(buffer[:0])
		return buffer, err
	}
}

// writing makes a tool's encode of a function that writes to a buffer.
func writing(buffer *bytes.Buffer, write func() error) func() ([]byte, error) {
	return func() ([]byte, error) {
		buffer.Reset()
		err := write()
		return buffer.Bytes(), err
	}
}

// generated is what a message of coordgen has.
type generated[M any] interface {
	*M
	Equal(*M) bool
	AppendJSON([]byte) ([]byte, error)
	MarshalJSON() ([]byte, error)
	AppendMsgpack([]byte) ([]byte, error)
	MarshalMsgpack() ([]byte, error)
	AppendProto([]byte) ([]byte, error)
	MarshalProto() ([]byte, error)
	UnmarshalProto([]byte) error
}

// structs is what a message of package plain has.
type structs[M any] interface {
	*M
	easyjson.MarshalerUnmarshaler
	msgp.Marshaler
	msgp.Unmarshaler
	msgp.Sizer
}

// protos is what a message of protobuf has.
type protos[M any] interface {
	*M
	proto.Message
	SizeVT() int
	ResetVT()
	MarshalVT() ([]byte, error)
	MarshalToSizedBufferVT([]byte) (int, error)
	UnmarshalVT([]byte) error
	UnmarshalVTUnsafe([]byte) error
}

// coordgenTools returns coordgen's codecs, by name.
func coordgenTools[M any, P generated[M]](m P) map[string]tool {
	return map[string]tool{
		"json": modal(
			tool{name: "coordgen", encode: appending(m.AppendJSON), marshal: m.MarshalJSON},
			func(mode mode) func([]byte) (any, error) { return mode.json(new(M)) },
		),
		"msgpack": modal(
			tool{name: "coordgen", encode: appending(m.AppendMsgpack), marshal: m.MarshalMsgpack},
			func(mode mode) func([]byte) (any, error) { return mode.msgpack(new(M)) },
		),
		"protobuf": modal(
			tool{name: "coordgen", encode: appending(m.AppendProto), marshal: m.MarshalProto},
			func(mode mode) func([]byte) (any, error) { return mode.proto(new(M)) },
		),
	}
}
