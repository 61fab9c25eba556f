package vectors

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"

	"github.com/coordgen/coordgen/internal/compat"
	"github.com/coordgen/coordgen/internal/convert"
	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/runtime/vector"
	"github.com/coordgen/coordgen/runtime/wire"
)

// A Reading is how a message of today reads the samples of an old version.
type Reading struct {
	// Except are the samples, as "full", and payloads, as "json/full", that are not
	// read, which a waiver says.
	Except []string
	// Waivers are those that say so.
	Waivers []compat.Finding
	// Lost are the samples that are not read, which no waiver says.
	Lost []string
}

// Read says how the message now reads the samples of the message old. The findings are
// those of check about the old version.
func Read(old, now *model.Message, samples []vector.Sample, formats []wire.Format, findings []compat.Finding) Reading {
	var r Reading
	names := map[string]bool{}
	reached(old, names)
	reached(now, names)
	var waived []wire.Format
	for _, f := range findings {
		if f.Waived == "" || f.Backward == 0 || !about(f.Element, names) {
			continue
		}
		for _, format := range formats {
			if slices.Contains(f.Backward.Names(), format.String()) {
				waived = append(waived, format)
			}
		}
		r.Waivers = append(r.Waivers, f)
	}
	c := convert.Recorded(now)
	for _, s := range samples {
		s.Payloads = slices.DeleteFunc(slices.Clone(s.Payloads), func(p vector.Payload) bool { return !slices.Contains(formats, p.Format) })
		if agree(c, now, s.Payloads) {
			continue
		}
		var except []string
		var rest []vector.Payload
		for _, p := range s.Payloads {
			if slices.Contains(waived, p.Format) {
				except = append(except, p.Format.String()+"/"+s.Name)
			} else {
				rest = append(rest, p)
			}
		}
		if rest == nil {
			except = []string{s.Name}
		}
		r.Except = append(r.Except, except...)
		if !agree(c, now, rest) {
			r.Lost = append(r.Lost, s.Name)
		}
	}
	if r.Except == nil {
		r.Waivers = nil
	}
	return r
}

// Alike says whether a file of the same version has the samples that are made of it
// today, whatever the order of fields. It takes that for granted of a message that holds
// others of another file: nobody knows any more which version of that there was.
func (v Vector) Alike(was []vector.Sample) bool {
	if !closed(v.Message, v.File.Schema, map[*model.Message]bool{}) {
		return true
	}
	c := convert.Recorded(v.Message)
	return slices.EqualFunc(was, v.File.Samples, func(x, y vector.Sample) bool {
		return x.Name == y.Name && agree(c, v.Message, slices.Concat(x.Payloads, y.Payloads))
	})
}

// closed says whether a message, and all that it holds, is of the file with that path,
// or protobuf's own.
func closed(m *model.Message, path string, seen map[*model.Message]bool) bool {
	if seen[m] {
		return true
	}
	seen[m] = true
	own := func(f *model.File) bool { return f.Path == path || f.Proto == protobuf }
	return own(m.File) && !slices.ContainsFunc(m.Fields, func(f *model.Field) bool {
		return f.Type.Enum != nil && !own(f.Type.Enum.File) || f.Type.Message != nil && !closed(f.Type.Message, path, seen)
	})
}

// agree says whether the payloads are read as the same message, and written again, as
// package vectortest has it.
func agree(c *convert.Converter, m *model.Message, payloads []vector.Payload) bool {
	var first map[string]any
	for i, p := range payloads {
		tree, ok := read(c, m, p)
		if !ok || i > 0 && !reflect.DeepEqual(tree, first) {
			return false
		}
		first = tree
	}
	return true
}

// read is the message that a payload holds, as far as formats agree about it.
func read(c *convert.Converter, m *model.Message, p vector.Payload) (map[string]any, bool) {
	written, _, err := c.Convert(p.Data, codec(p.Format), codec(p.Format))
	if err != nil {
		return nil, false
	}
	again, _, err := c.Convert(written, codec(p.Format), codec(p.Format))
	if err != nil || !bytes.Equal(written, again) {
		return nil, false
	}
	text, err := c.Known(p.Data, codec(p.Format))
	if err != nil {
		return nil, false
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var tree map[string]any
	if err := decoder.Decode(&tree); err != nil {
		return nil, false
	}
	return levelMessage(m, tree), true
}

// levelMessage is a message without what is zero, and without fields that its schema
// lacks.
func levelMessage(m *model.Message, tree map[string]any) map[string]any {
	out := map[string]any{}
	for _, f := range m.Fields {
		v, has := tree[f.Wire]
		if !has {
			continue
		}
		list, isList := v.([]any)
		entries, isMap := v.(map[string]any)
		switch {
		case f.Card == model.Repeated && isList:
			for i := range list {
				list[i] = level(f.Type, list[i])
			}
		case f.Card == model.Mapped && isMap:
			for key := range entries {
				entries[key] = level(f.Type, entries[key])
			}
		default:
			v = level(f.Type, v)
		}
		if !isZero(f, v) {
			out[f.Wire] = v
		}
	}
	return out
}

// level is a single value, an enum's as its number.
func level(t model.Type, v any) any {
	if tree, isTree := v.(map[string]any); isTree && t.Message != nil {
		return levelMessage(t.Message, tree)
	}
	if t.Enum != nil {
		for _, e := range t.Enum.Values {
			if e.Wire == v {
				return json.Number(strconv.Itoa(int(e.Number)))
			}
		}
	}
	return v
}

func isZero(f *model.Field, v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case json.Number:
		n, err := v.Float64()
		return err == nil && n == 0
	case string:
		return v == "" || v == "0" && f.Type.Kind != model.KindString
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0 && f.Card == model.Mapped
	}
	return false
}
