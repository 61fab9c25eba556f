package wire

import (
	"fmt"
	"strings"
)

// A Version is a version of a schema. The zero Version stands for the present one.
type Version struct {
	// Schema is the schema's protobuf package, or the path of its file where it has
	// none. All files of a package count the same versions.
	Schema string
	Number int
}

// String returns the version as people write it: "shop version 2".
func (v Version) String() string { return fmt.Sprintf("%s version %d", v.Schema, v.Number) }

// AppendAt appends the message to b in the given format, as programs of an older
// version of its schema write it. Fields that are newer are left out unless they are
// required, and names that were changed are the former ones. A value that the version
// can't express is an [*Error] that wraps [ErrVersion]. A version that is newer than the
// present one counts as that, and one below 1 is an error that wraps [ErrVersion].
//
// Messages that it holds of other schemas are written at the present version.
func AppendAt(f Format, v Version, b []byte, message any) ([]byte, error) {
	if v.Number < 1 && v.Schema != "" {
		return b, fmt.Errorf("wire: %T: %w: there is no %s", message, ErrVersion, v)
	}
	name := strings.TrimPrefix(fmt.Sprintf("%T", message), "*")
	switch f {
	case JSON:
		if m, ok := message.(interface {
			WriteJSON(w *JSONWriter, b []byte) []byte
		}); ok {
			w := NewJSONWriter(b)
			w.version = v
			return w.Close(m.WriteJSON(&w, w.Begin(b)), name)
		}
	case Msgpack:
		if m, ok := message.(interface {
			WriteMsgpack(w *MsgpackWriter, b []byte) []byte
		}); ok {
			w := NewMsgpackWriter(b)
			w.version = v
			return w.Close(m.WriteMsgpack(&w, w.Begin(b)), name)
		}
	case Proto:
		if m, ok := message.(interface {
			WriteProto(w *ProtoWriter, b []byte) []byte
		}); ok {
			w := NewProtoWriter(b)
			w.version = v
			return w.Close(m.WriteProto(&w, w.Begin(b)), name)
		}
	}
	return b, fmt.Errorf("wire: %T as %s: %w", message, f, ErrFormat)
}

// Version returns the version at which the schema's messages are written; present is
// its newest.
func (out *output) Version(schema string, present int) int {
	if out.version.Schema != schema {
		return present
	}
	return min(out.version.Number, present)
}

// Newer fails because the field is set, and not there before the version since.
func (out *output) Newer(b []byte, field string, since int) {
	if !out.stopped() {
		out.failf(b, ErrVersion, "it is there since version %d, and %s is written", since, out.version)
		out.field = field
	}
}

// enumName returns the name of a value of e to write.
func (out *output) enumName(b []byte, e *Enum, name string) string {
	name = e.Written(name)
	if e.Schema == "" || e.Schema != out.version.Schema {
		return name
	}
	v := e.named([]byte(name))
	if v == nil {
		return name
	}
	if v.Since > out.version.Number {
		out.failf(b, ErrVersion, "%q is there since version %d, and %s is written", name, v.Since, out.version)
	}
	for _, former := range v.Former {
		if out.version.Number <= former.Until {
			return former.Name
		}
	}
	return name
}
