package wire

import (
	"encoding/binary"
	"time"
)

// String reads a string, or bytes that are valid UTF-8.
func (r *MsgpackReader) String() string {
	if text := r.short(); text != nil && invalidText(text) < 0 {
		r.pos += 1 + len(text)
		return r.asString(text)
	}
	return r.asString(r.text("a string"))
}

// short returns the text of the short string that comes next, or nil when something
// else does. It does not move.
func (r *MsgpackReader) short() []byte {
	if start := r.pos + 1; start <= len(r.data) {
		size := int(r.data[r.pos] ^ 0xa0)
		if end := start + size; size < 32 && end <= len(r.data) {
			return r.data[start:end]
		}
	}
	return nil
}

// text reads a string, or bytes in its place. The result is a part of the input.
func (r *MsgpackReader) text(want string) []byte {
	text, ok := r.rawText(want)
	if !ok || !r.valid(text) {
		return nil
	}
	return text
}

// Bool reads a boolean.
func (r *MsgpackReader) Bool() bool {
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

// Bytes reads bytes, or a string that holds them in base64. No bytes are nil.
func (r *MsgpackReader) Bytes() []byte {
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

// Time reads a timestamp, or a time in RFC 3339 as a string, in UTC.
func (r *MsgpackReader) Time() time.Time {
	if rest := r.data[r.pos:]; len(rest) >= 10 && rest[0] == 0xd7 && rest[1] == 0xff {
		both := binary.BigEndian.Uint64(rest[2:])
		if nsec := int64(both >> 34); nsec <= 999_999_999 {
			r.pos += 10
			return time.Unix(int64(both&(1<<34-1)), nsec).UTC()
		}
	}
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

// Duration reads a duration as a string, such as "1.5s".
func (r *MsgpackReader) Duration() time.Duration {
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

// Enum reads the name of a value of e, or its number.
func (r *MsgpackReader) Enum(e *Enum) string {
	if text := r.short(); text != nil {
		if v := e.named(text); v != nil && !v.Alias {
			r.pos += 1 + len(text)
			return v.Name
		}
	}
	const want = "the name of an enum's value, or its number"
	h, ok := r.header(want)
	switch {
	case !ok:
		return ""
	case h.kind == mpInt || h.kind == mpFloat:
		n := r.Int32()
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
