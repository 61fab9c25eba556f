package wire

import "strings"

// ProtojsonFieldMask appends the paths of a google.protobuf.FieldMask in protojson's
// form: as one string, in lower camel case, with commas between them. A path that
// would not be read as what it is can't be written.
func (w *JSONWriter) ProtojsonFieldMask(b []byte, paths []string) []byte {
	camel := make([]string, len(paths))
	for i, path := range paths {
		var ok bool
		if camel[i], ok = camelPath(path); !ok {
			return w.failf(b, ErrValue, "found the path %.64q, want names such as \"order.placed_at\", which camel case gives back", path)
		}
	}
	return w.String(b, strings.Join(camel, ","))
}

// ProtojsonFieldMask reads the paths of a google.protobuf.FieldMask.
func (r *JSONReader) ProtojsonFieldMask(b []byte) ([]string, []byte) {
	const want = `paths such as "id,order.placedAt"`
	r.at(b)
	r.peek()
	at := r.pos
	text, ok := r.text(want)
	all := strings.TrimSpace(string(text))
	if !ok || all == "" {
		return nil, r.rest()
	}
	paths := make([]string, 0, 1+strings.Count(all, ","))
	var buffer [64]byte
	path := buffer[:]
	for camel := range strings.SplitSeq(all, ",") {
		if path, ok = snakePath(path[:0], camel); !ok {
			r.failf(at, ErrValue, "found the path %q, want %s", clip([]byte(camel)), want)
			return nil, nil
		}
		paths = append(paths, r.copied(path, (len(r.data)-at)/2))
	}
	return paths, r.rest()
}

// camelPath returns the path in lower camel case. It says false if snakePath does not
// make the path of it again.
func camelPath(path string) (string, bool) {
	var camel strings.Builder
	for i := 0; i < len(path); i++ {
		c := path[i]
		if c == '_' {
			if i++; i == len(path) || path[i] < 'a' || path[i] > 'z' {
				return "", false
			}
			c = path[i] - 'a' + 'A'
		}
		camel.WriteByte(c)
	}
	again, ok := snakePath(nil, camel.String())
	return camel.String(), ok && string(again) == path
}

// snakePath appends a path of lower camel case to b as the schema spells it. It says
// false for what is no path of names.
func snakePath(b []byte, camel string) ([]byte, bool) {
	begins := true // a name
	for i := range len(camel) {
		switch c := camel[i]; {
		case c >= 'A' && c <= 'Z':
			b = append(b, '_', c-'A'+'a')
		case c >= 'a' && c <= 'z', (c >= '0' && c <= '9' || c == '.') && !begins:
			b = append(b, c)
		default:
			return b, false
		}
		begins = camel[i] == '.'
	}
	return b, !begins
}
