package wire

import (
	"encoding/binary"
	"time"
)

// string reads a string, or bytes that are valid UTF-8.
func (r *MsgpackReader) string() string { return r.asString(r.text("a string")) }

// text reads a string, or bytes in its place. The result is a part of the input.
func (r *MsgpackReader) text(want string) []byte {
	text, ok := r.rawText(want)
	if !ok || !r.valid(text) {
		return nil
	}
	return text
}

// bool reads a boolean.
func (r *MsgpackReader) bool() bool {
	if r.pos < len(r.data) {
		switch r.data[r.pos] {
		case 0xc2:
			r.pos++
			return false
		case 0xc3:
			r.pos++
			return true
		}
	}
	r.mismatch("a boolean")
	return false
}

// bytes reads bytes, or a string that holds them in base64. No bytes are nil.
func (r *MsgpackReader) bytes() []byte {
	const want = "bytes, or a string that holds them in base64"
	h, ok := r.header(want)
	if !ok {
		return nil
	}
	at := r.pos
	switch h.kind {
	case mpBytes:
		return append([]byte(nil), r.take(h)...)
	case mpString:
		b, err := decodeBase64(r.take(h))
		if err != nil {
			r.failf(at, ErrValue, "found a string that is no base64, want %s", want)
			return nil
		}
		return b
	}
	r.mismatch(want)
	return nil
}

// extensionTime is the type of the extension for timestamps.
const extensionTime = -1

// extension returns the type of the extension that comes next.
func (r *MsgpackReader) extension(h mpHeader) int8 { return int8(r.data[r.pos+h.head]) }

// time reads a timestamp, or a time in RFC 3339 as a string, in UTC.
func (r *MsgpackReader) time() time.Time {
	const want = "a timestamp"
	h, ok := r.header(want)
	switch {
	case !ok:
		return time.Time{}
	case h.kind == mpExt && r.extension(h) == extensionTime:
		return r.timestamp(h)
	case h.kind != mpString && h.kind != mpBytes:
		r.mismatch(want)
		return time.Time{}
	}
	at := r.pos
	t, err := parseTime(r.take(h))
	if err != nil {
		r.fail(at, err)
	}
	return t
}

// timestamp reads the timestamp with the header h.
func (r *MsgpackReader) timestamp(h mpHeader) time.Time {
	at := r.pos
	payload := r.take(h)[1:]
	var sec int64
	var nsec uint32
	switch len(payload) {
	case 4:
		sec = int64(binary.BigEndian.Uint32(payload))
	case 8:
		both := binary.BigEndian.Uint64(payload)
		sec, nsec = int64(both&(1<<34-1)), uint32(both>>34)
	case 12:
		nsec = binary.BigEndian.Uint32(payload)
		sec = int64(binary.BigEndian.Uint64(payload[4:]))
	default:
		r.failf(at, ErrValue, "found a timestamp of %d bytes, want 4, 8 or 12", len(payload))
		return time.Time{}
	}
	switch {
	case nsec > 999_999_999:
		r.failf(at, ErrValue, "found a timestamp with %d nanoseconds, want at most 999999999", nsec)
		return time.Time{}
	case sec < firstSecond || sec > lastSecond:
		r.failf(at, ErrRange, "found a timestamp %d seconds after 1970, want one in the years 1 to 9999", sec)
		return time.Time{}
	}
	return time.Unix(sec, int64(nsec)).UTC()
}

// duration reads a duration as a string, such as "1.5s".
func (r *MsgpackReader) duration() time.Duration {
	at := r.pos
	text, ok := r.rawText(`a duration such as "1.5s"`)
	if !ok {
		return 0
	}
	d, err := parseDuration(text)
	if err != nil {
		r.fail(at, err)
	}
	return d
}

// enum reads the name of a value of e, or its number.
func (r *MsgpackReader) enum(e *Enum) string {
	const want = "the name of an enum's value, or its number"
	h, ok := r.header(want)
	switch {
	case !ok:
		return ""
	case h.kind == mpInt || h.kind == mpFloat:
		n := r.int32()
		if r.failed() {
			return ""
		}
		return e.ByNumber(n)
	}
	at := r.pos
	text := r.text(want)
	if len(text) == 0 && !r.failed() {
		r.failf(at, ErrValue, "found an empty string, want %s", want)
	}
	if r.failed() {
		return ""
	}
	return e.ByName(text)
}
