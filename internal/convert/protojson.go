package convert

import (
	"time"

	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/runtime/wire"
)

// isLeftOut says whether a field is left out that is zero: one that earlier versions
// had, or one in protojson's form.
func (s shapes) isLeftOut(w writer, f *model.Field, v any) bool {
	_, isJSON := w.(jsonWriter)
	if !isRetired(f) && (f.Presence || !isJSON || !f.Type.Protojson) {
		return false
	}
	switch v := v.(type) {
	case []any:
		return len(v) == 0
	case map[any]any:
		return len(v) == 0
	}
	return v == nil || isZero(s, f, v)
}

// isRetired says whether only earlier versions than the file's write the field where it
// is zero. One that can be absent needs no such rule.
func isRetired(f *model.Field) bool { return f.File.Retired(f.Until) && f.Card != model.Optional }

// writeProtojson appends a value that has another form in protojson. It says false for
// any other.
func (s shapes) writeProtojson(w writer, b []byte, t model.Type, v any) ([]byte, bool) {
	j, isJSON := w.(jsonWriter)
	switch {
	case !isJSON:
	case t.IsNull():
		return append(b, "null"...), true
	case t.Kind == model.KindEnum && t.Enum.File.Protojson:
		return j.ProtojsonEnum(b, s.enum(t.Enum), v.(string)), true
	case !t.Protojson:
	case t.Kind == model.KindFloat32:
		return j.ProtojsonFloat32(b, v.(float32)), true
	case t.Kind == model.KindFloat64:
		return j.ProtojsonFloat64(b, v.(float64)), true
	case t.Kind == model.KindTime:
		return j.ProtojsonTime(b, v.(time.Time)), true
	case t.Kind == model.KindStruct:
		return j.ProtojsonStruct(b, v.(map[string]any)), true
	case t.Kind == model.KindListValue:
		return j.ProtojsonListValue(b, v.([]any)), true
	case t.Kind == model.KindValue:
		return j.ProtojsonValue(b, v), true
	case t.IsPaths():
		var paths []string
		list, _ := v.(*message).values[0].([]any)
		for _, path := range list {
			paths = append(paths, path.(string))
		}
		return j.ProtojsonFieldMask(b, paths), true
	}
	return b, false
}

// readProtojson reads a value that has another form in protojson. It says false for
// any other.
func (s shapes) readProtojson(r any, b []byte, t model.Type) (v any, rest []byte, ok bool) {
	j, isJSON := r.(*wire.JSONReader)
	switch {
	case !isJSON || !t.Protojson:
		return nil, b, false
	case t.Kind == model.KindFloat32:
		v, rest = j.ProtojsonFloat32(b)
	case t.Kind == model.KindFloat64:
		v, rest = j.ProtojsonFloat64(b)
	case t.IsNull():
		v, rest = wire.ProtojsonNull(j, b, t.Enum.Zero().Wire)
	case t.IsPaths():
		m := s.empty(t.Message, before)
		var paths []string
		var list []any
		paths, rest = j.ProtojsonFieldMask(b)
		for _, path := range paths {
			list = append(list, path)
		}
		m.values[0] = list
		v = m
	default:
		return nil, b, false
	}
	return v, rest, true
}
