package load

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coordgen/coordgen/internal/model"
)

// defaultValue fills in a field's default: that of the option, else proto2's.
func (b *builder) defaultValue(f field) {
	text := f.o.text("default")
	if text == "" {
		b.ownDefault(f)
		return
	}
	p := b.optionPos(f.d, b.vocabulary.field, "default")
	switch {
	case f.Required:
		b.errorf(p, "%s is required and has a default, which could never be used; drop one of them", what(f.d))
		return
	case f.Oneof != nil:
		b.errorf(p, "%s is a member of oneof %q and can't have a default, since another member may be set; drop the default", what(f.d), f.Oneof.Name)
		return
	case f.Card == model.Repeated || f.Card == model.Mapped:
		b.errorf(p, "%s holds many values and is empty when absent; drop the default", what(f.d))
		return
	}
	value, fault := canonical(f.Type, text)
	if fault != "" {
		b.errorf(p, "%s has the default `%s`, but %s", what(f.d), text, fault)
		return
	}
	f.Default = value
}

// ownDefault takes over the default that proto2 and editions have a syntax for.
func (b *builder) ownDefault(f field) {
	if !f.d.HasDefault() || f.Required || f.Oneof != nil {
		return
	}
	v := f.d.Default()
	switch f.Type.Kind {
	case model.KindFloat32, model.KindFloat64:
		n := v.Float()
		if math.IsInf(n, 0) || math.IsNaN(n) {
			b.warnf(f.d, f.Pos, "%s has the default %v, for which JSON has no number; it will have none", what(f.d), n)
			return
		}
		f.Default = floatText(n, f.Type.Kind)
	case model.KindString:
		if !utf8.ValidString(v.String()) {
			b.errorf(f.Pos, "%s has the default %q, which is no UTF-8; change it, or make the field bytes", what(f.d), v.String())
			return
		}
		f.Default = quoted(v.String())
	case model.KindBytes:
		f.Default = quoted(base64.StdEncoding.EncodeToString(v.Bytes()))
	case model.KindEnum:
		if e := f.Type.Enum; e != nil {
			for _, value := range e.Values {
				if value.Name == string(f.d.DefaultEnumValue().Name()) {
					f.Default = quoted(value.Wire)
				}
			}
		}
	case model.KindBool, model.KindInt32, model.KindInt64, model.KindUint32, model.KindUint64:
		f.Default = fmt.Sprint(v.Interface())
	}
}

// canonical returns JSON text as the model keeps it, or what is wrong with it as
// a value of type t.
func canonical(t model.Type, text string) (value, fault string) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var v any
	if !utf8.ValidString(text) || !json.Valid([]byte(text)) || decoder.Decode(&v) != nil {
		if t.Kind == model.KindString || t.Kind == model.KindEnum {
			return "", fmt.Sprintf("that is not JSON: it has quotes of its own within those of the option, as in default: %q", quoted(text))
		}
		return "", "that is not JSON; write it as in a JSON document, such as `3`, `{}` or `true`"
	}
	switch t.Kind {
	case model.KindBool:
		if v, ok := v.(bool); ok {
			return strconv.FormatBool(v), ""
		}
		return "", "a bool is `true` or `false`"
	case model.KindInt32:
		return integer(v, 32, true)
	case model.KindInt64:
		return integer(v, 64, true)
	case model.KindUint32:
		return integer(v, 32, false)
	case model.KindUint64:
		return integer(v, 64, false)
	case model.KindFloat32, model.KindFloat64:
		return float(v, t.Kind)
	case model.KindString:
		if v, ok := v.(string); ok {
			return quoted(v), ""
		}
		return "", "a string has quotes of its own within those of the option, as in default: \"\\\"eu\\\"\""
	case model.KindBytes:
		if v, ok := v.(string); ok {
			if raw, err := base64.StdEncoding.DecodeString(v); err == nil {
				return quoted(base64.StdEncoding.EncodeToString(raw)), ""
			}
		}
		return "", "bytes are written in base64, as in `\"AQID\"`"
	case model.KindEnum:
		return enumDefault(t.Enum, v)
	case model.KindStruct:
		if v, ok := v.(map[string]any); ok && len(v) == 0 {
			return "{}", ""
		}
		return "", "a google.protobuf.Struct can only have `{}`"
	case model.KindListValue:
		if v, ok := v.([]any); ok && len(v) == 0 {
			return "[]", ""
		}
		return "", "a google.protobuf.ListValue can only have `[]`"
	case model.KindMessage, model.KindTime, model.KindDuration, model.KindValue:
	}
	return "", "a field of its type has none; drop the default"
}

func integer(v any, bits int, signed bool) (value, fault string) {
	n, _ := v.(json.Number)
	if signed {
		if i, err := strconv.ParseInt(n.String(), 10, bits); err == nil {
			return strconv.FormatInt(i, 10), ""
		}
		return "", fmt.Sprintf("that is no integer of %d bits", bits)
	}
	if u, err := strconv.ParseUint(n.String(), 10, bits); err == nil {
		return strconv.FormatUint(u, 10), ""
	}
	return "", fmt.Sprintf("that is no integer from 0 up of %d bits", bits)
}

func float(v any, k model.Kind) (value, fault string) {
	n, ok := v.(json.Number)
	if !ok {
		return "", "that is no number"
	}
	f, err := strconv.ParseFloat(n.String(), floatBits(k))
	if err != nil {
		return "", fmt.Sprintf("that is beyond what a float of %d bits holds", floatBits(k))
	}
	return floatText(f, k), ""
}

func floatBits(k model.Kind) int {
	if k == model.KindFloat32 {
		return 32
	}
	return 64
}

func floatText(f float64, k model.Kind) string { return strconv.FormatFloat(f, 'g', -1, floatBits(k)) }

func enumDefault(e *model.Enum, v any) (value, fault string) {
	if e == nil {
		return "", "its type has no values" // reported where the type is looked up
	}
	name, ok := v.(string)
	names := make([]string, len(e.Values))
	for i, value := range e.Values {
		if names[i] = value.Wire; ok && value.Wire == name {
			return quoted(name), ""
		}
	}
	if len(names) > 8 {
		names = append(names[:8], "...")
	}
	return "", fmt.Sprintf("the values of %s are %s, written with quotes", e.Name, strings.Join(names, ", "))
}

// quoted is a string's JSON.
func quoted(text string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(text) != nil {
		return `""` // strings always encode
	}
	return strings.TrimSuffix(b.String(), "\n")
}
