package wire

import (
	"encoding/base64"
	"strconv"
	"time"
)

// A JSONWriter appends a message to a buffer as JSON. Its methods take the buffer
// and return it with the value appended. After the first failure they append
// nothing that matters; Close reports the failure.
type JSONWriter struct {
	output
}

// NewJSONWriter returns a writer that appends to b.
func NewJSONWriter(b []byte) JSONWriter { return JSONWriter{output{start: len(b)}} }

// Close ends the writing of the message of that name. After a failure it returns
// the buffer as it was before the message, and an [*Error].
func (w *JSONWriter) Close(b []byte, message string) ([]byte, error) {
	if w.err == nil {
		return w.result(b), nil
	}
	err := &Error{Message: message, Field: w.path(b[w.start:w.at]), Offset: -1, Err: w.err}
	return w.result(b[:w.start]), err
}

// Key appends the key of a field or of a map's entry and the colon behind it, and a comma before it
// unless it is the object's first.
func (w *JSONWriter) Key(b []byte, key string) []byte {
	if w.stopped() {
		return b
	}
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	b = w.String(b, key)
	if w.err != nil {
		return b
	}
	return append(b, ':')
}

// IntKey appends the key of a map's entry.
func (w *JSONWriter) IntKey(b []byte, key int64) []byte {
	return w.Key(b, strconv.FormatInt(key, 10))
}

// UintKey appends the key of a map's entry.
func (w *JSONWriter) UintKey(b []byte, key uint64) []byte {
	return w.Key(b, strconv.FormatUint(key, 10))
}

// BoolKey appends the key of a map's entry.
func (w *JSONWriter) BoolKey(b []byte, key bool) []byte {
	return w.Key(b, strconv.FormatBool(key))
}

// CloseObject appends the unknown fields of a message with the fields f, and the
// brace that ends it.
func (w *JSONWriter) CloseObject(b []byte, u Unknown, f *Fields) []byte {
	if len(u) == 0 {
		return append(b, '}')
	}
	return w.closeUnknown(b, u, f)
}

func (w *JSONWriter) closeUnknown(b []byte, u Unknown, f *Fields) []byte {
	if w.stopped() || w.clashes(b, u, f) {
		return b
	}
	for i := range u {
		if u[i].Format == Proto {
			continue
		}
		b = w.Key(b, u[i].Key)
		switch {
		case w.err != nil:
			return b
		case u[i].Format == JSON:
			b = w.raw(b, u[i].Raw)
		default:
			b = u[i].appendJSON(w, b)
		}
	}
	return append(b, '}')
}

// raw appends a value that is JSON already. A program may have set it, so it is
// looked at: a broken one would break the whole message.
func (w *JSONWriter) raw(b, value []byte) []byte {
	r := JSONReader{rawValue(value)}
	r.skip()
	if err := r.close(); err != nil {
		return w.failf(b, r.fault.Err, "in the raw value of an unknown field, at byte %d", r.fault.Offset)
	}
	return append(b, value...)
}

// Bool appends a boolean.
func (w *JSONWriter) Bool(b []byte, v bool) []byte {
	if v {
		return append(b, "true"...)
	}
	return append(b, "false"...)
}

// Int32 appends an integer.
func (w *JSONWriter) Int32(b []byte, v int32) []byte { return appendInteger(b, int64(v)) }

// Uint32 appends an integer.
func (w *JSONWriter) Uint32(b []byte, v uint32) []byte { return appendDigits(b, uint64(v)) }

// Int64 appends an integer.
func (w *JSONWriter) Int64(b []byte, v int64) []byte { return appendInteger(b, v) }

// Uint64 appends an integer.
func (w *JSONWriter) Uint64(b []byte, v uint64) []byte { return appendDigits(b, v) }

// Bytes appends bytes in base64.
func (w *JSONWriter) Bytes(b []byte, v []byte) []byte {
	b = append(b, '"')
	b = base64.StdEncoding.AppendEncode(b, v)
	return append(b, '"')
}

// Time appends a time in RFC 3339, in UTC. Its year must be 1 to 9999.
func (w *JSONWriter) Time(b []byte, t time.Time) []byte {
	second := t.Unix()
	if second < firstSecond || second > lastSecond {
		return w.failf(b, ErrRange, "found a time in year %d, want one in the years 1 to 9999", t.UTC().Year())
	}
	return appendTime(b, second, uint(t.Nanosecond()))
}

// Duration appends a duration, such as "1.5s".
func (w *JSONWriter) Duration(b []byte, d time.Duration) []byte {
	return append(appendDuration(append(b, '"'), d), '"')
}

// Enum appends the name of a value of e.
func (w *JSONWriter) Enum(b []byte, e *Enum, name string) []byte {
	return w.String(b, w.enumName(b, e, name))
}
