package convert

import "github.com/coordgen/coordgen/runtime/wire"

// A jsonWriter puts braces, brackets and commas around values.
type jsonWriter struct{ *wire.JSONWriter }

func (jsonWriter) openObject(b []byte, _ int) []byte { return append(b, '{') }

func (w jsonWriter) key(b []byte, key string) []byte { return w.Key(b, key) }

func (w jsonWriter) closeObject(b []byte, u wire.Unknown, f *wire.Fields) []byte {
	return w.CloseObject(b, u, f)
}

func (jsonWriter) openList(b []byte, _ int) []byte { return append(b, '[') }

func (jsonWriter) element(b []byte, i int) []byte {
	if i > 0 {
		return append(b, ',')
	}
	return b
}

func (jsonWriter) closeList(b []byte) []byte { return append(b, ']') }

func (jsonWriter) openMap(b []byte, _ int) []byte { return append(b, '{') }

func (w jsonWriter) entry(b []byte, key any) []byte {
	switch key := key.(type) {
	case bool:
		return w.BoolKey(b, key)
	case int32:
		return w.IntKey(b, int64(key))
	case int64:
		return w.IntKey(b, key)
	case uint32:
		return w.UintKey(b, uint64(key))
	case uint64:
		return w.UintKey(b, key)
	}
	return w.Key(b, key.(string))
}

func (w jsonWriter) quotedInt64(b []byte, v int64) []byte { return w.QuotedInt64(b, v) }

func (w jsonWriter) quotedUint64(b []byte, v uint64) []byte { return w.QuotedUint64(b, v) }

func (jsonWriter) closeMap(b []byte) []byte { return append(b, '}') }

// A msgpackWriter puts headers before values.
type msgpackWriter struct{ *wire.MsgpackWriter }

func (w msgpackWriter) openObject(b []byte, n int) []byte { return w.MapHeader(b, n) }

func (w msgpackWriter) key(b []byte, key string) []byte { return w.String(b, key) }

func (w msgpackWriter) closeObject(b []byte, u wire.Unknown, f *wire.Fields) []byte {
	return w.Unknown(b, u, f)
}

func (w msgpackWriter) openList(b []byte, n int) []byte { return w.ArrayHeader(b, n) }

func (msgpackWriter) element(b []byte, _ int) []byte { return b }

func (msgpackWriter) closeList(b []byte) []byte { return b }

func (w msgpackWriter) openMap(b []byte, n int) []byte { return w.MapHeader(b, n) }

func (w msgpackWriter) entry(b []byte, key any) []byte {
	switch key := key.(type) {
	case bool:
		return w.Bool(b, key)
	case int32:
		return w.Int32(b, key)
	case int64:
		return w.Int64(b, key)
	case uint32:
		return w.Uint32(b, key)
	case uint64:
		return w.Uint64(b, key)
	}
	return w.String(b, key.(string))
}

func (w msgpackWriter) quotedInt64(b []byte, v int64) []byte { return w.Int64(b, v) }

func (w msgpackWriter) quotedUint64(b []byte, v uint64) []byte { return w.Uint64(b, v) }

func (msgpackWriter) closeMap(b []byte) []byte { return b }
