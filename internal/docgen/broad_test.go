package docgen_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/coordgen/coordgen/internal/consumer"
	"github.com/coordgen/coordgen/internal/docgen"
	"github.com/coordgen/coordgen/internal/gogen"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/model"
)

// rewriter builds a program of the code that is generated for the broad schema,
// and returns a function that has it read and write a message.
func rewriter(t *testing.T, s *model.Schema) func(message string) string {
	m := consumer.New(t, "example.com/broad")
	files, err := gogen.Generate(s, gogen.Options{Version: "v0.0.0"})
	require.NoError(t, err)
	for _, f := range files {
		m.Write("broad/"+f.Name, f.Content)
	}
	program, err := os.ReadFile("../gogen/testdata/broad/main.go.txt")
	require.NoError(t, err)
	m.Write("main.go", program)
	m.Go("mod", "tidy")
	m.Go("build", "-o", "rewrite.exe", ".")
	through := m.Start("rewrite.exe")
	return func(message string) string {
		line := string(through([]byte(message)))
		require.False(t, strings.HasPrefix(line, "error"), "%s for %s", line, message)
		return line
	}
}

// Whatever the code that is generated for a message with every type writes is
// valid, and stops being so when one of its values is of another type.
func TestWhatGeneratedCodeWritesIsValid(t *testing.T) {
	r, err := load.Load(t.Context(), load.Options{Files: []string{"../gogen/testdata/broad"}, Include: []string{"../gogen/testdata/broad"}})
	require.NoError(t, err)
	broad := r.Schema.Files[slices.IndexFunc(r.Schema.Files, func(f *model.File) bool { return f.Target })].Messages[0]
	require.Equal(t, "broad.Broad", broad.Name)
	document := generate(t, []docgen.Part{{Schema: r.Schema, Codecs: codecs}}, docgen.Options{Format: docgen.AsyncAPI, JSON: true})
	valid := validators(t, document)["broad.Broad"]
	rewrite := rewriter(t, r.Schema)

	refused := map[string]bool{}
	rapid.Check(t, func(rt *rapid.T) {
		drawn, err := json.Marshal(drawMessage(rt, broad, 3))
		require.NoError(t, err)
		written := rewrite(string(drawn))
		require.NoError(t, validate(t, valid, written), "%s", written)

		var values map[string]json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(written), &values))
		var present []*model.Field
		for _, f := range broad.Fields {
			if _, ok := values[f.Wire]; ok && wrong(f) != "" {
				present = append(present, f)
			}
		}
		for range 8 {
			f := rapid.SampledFrom(present).Draw(rt, "field")
			changed := maps.Clone(values)
			changed[f.Wire] = json.RawMessage(wrong(f))
			text, err := json.Marshal(changed)
			require.NoError(t, err)
			assert.Error(t, validate(t, valid, string(text)), "%s: %s", f.Wire, wrong(f))
			refused[f.Wire] = true
		}
		for _, o := range broad.Oneofs {
			a := rapid.SampledFrom(o.Fields).Draw(rt, "member").Field
			b := rapid.SampledFrom(o.Fields).Filter(func(m *model.OneofMember) bool { return m.Field != a }).Draw(rt, "other").Field
			changed := maps.Clone(values)
			for _, f := range []*model.Field{a, b} {
				value, err := json.Marshal(drawValue(rt, f.Type, 1))
				require.NoError(t, err)
				changed[f.Wire] = value
			}
			text, err := json.Marshal(changed)
			require.NoError(t, err)
			assert.Error(t, validate(t, valid, string(text)), "%s and %s", a.Wire, b.Wire)
		}
	})
	assert.Greater(t, len(refused), len(broad.Fields)/2, "fields whose wrong values were seen")
}

// wrong is a value that a field can't have, or "" if it can have any.
func wrong(f *model.Field) string {
	value := map[model.Kind]string{
		model.KindBool: `0`, model.KindInt32: `2147483648`, model.KindInt64: `9223372036854775808`, model.KindUint32: `-1`,
		model.KindUint64: `18446744073709551616`, model.KindFloat32: `"1.5"`, model.KindFloat64: `"1"`, model.KindString: `1`,
		model.KindBytes: `"?"`, model.KindEnum: `""`, model.KindMessage: `[]`, model.KindTime: `"2001-02-03 04:05:06"`,
		model.KindDuration: `"1.5"`, model.KindStruct: `[]`, model.KindListValue: `{}`,
	}[f.Type.Kind]
	switch {
	case f.Type.Quoted:
		return `1`
	case f.Card == model.Mapped && f.Key != model.KindString:
		return `{"key":null}`
	case f.Card == model.Mapped && value != "":
		return `{"key":` + value + `}`
	case f.Card == model.Repeated && value != "":
		return `[` + value + `]`
	case f.Card == model.Repeated:
		return `{}`
	}
	return value
}

// drawMessage draws a message in the JSON that is read for it.
func drawMessage(t *rapid.T, m *model.Message, depth int) map[string]any {
	values := map[string]any{}
	taken := map[*model.Oneof]bool{}
	for range min(rapid.IntRange(0, 12).Draw(t, "fields"), len(m.Fields)) {
		f := rapid.SampledFrom(m.Fields).Draw(t, "field")
		if f.Oneof != nil && taken[f.Oneof] || f.Type.Kind == model.KindMessage && depth == 0 {
			continue
		}
		if f.Oneof != nil {
			taken[f.Oneof] = true
		}
		switch f.Card {
		case model.Repeated:
			list := []any{}
			for range rapid.IntRange(0, 3).Draw(t, "elements") {
				list = append(list, drawValue(t, f.Type, depth-1))
			}
			values[f.Wire] = list
		case model.Mapped:
			entries := map[string]any{}
			for range rapid.IntRange(0, 3).Draw(t, "entries") {
				entries[fmt.Sprint(drawValue(t, model.Type{Kind: f.Key}, 0))] = drawValue(t, f.Type, depth-1)
			}
			values[f.Wire] = entries
		default:
			values[f.Wire] = drawValue(t, f.Type, depth-1)
		}
	}
	return values
}

func drawValue(t *rapid.T, v model.Type, depth int) any {
	switch v.Kind {
	case model.KindBool:
		return rapid.Bool().Draw(t, "bool")
	case model.KindInt32:
		return rapid.Int32().Draw(t, "int32")
	case model.KindInt64:
		if v.Quoted {
			return fmt.Sprint(rapid.Int64().Draw(t, "text"))
		}
		return rapid.Int64().Draw(t, "int64")
	case model.KindUint32:
		return rapid.Uint32().Draw(t, "uint32")
	case model.KindUint64:
		if v.Quoted {
			return fmt.Sprint(rapid.Uint64().Draw(t, "text"))
		}
		return rapid.Uint64().Draw(t, "uint64")
	case model.KindFloat32:
		return rapid.Float32().Draw(t, "float")
	case model.KindFloat64:
		return rapid.Float64().Draw(t, "double")
	case model.KindBytes:
		return base64.StdEncoding.EncodeToString(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
	case model.KindEnum:
		names := []string{"of_another_version", strconv.Itoa(int(rapid.Int32().Draw(t, "number")))}
		for _, value := range v.Enum.Values {
			names = append(names, value.Wire)
		}
		return rapid.SampledFrom(names).Draw(t, "enum")
	case model.KindMessage:
		return drawMessage(t, v.Message, max(depth, 0))
	case model.KindTime:
		seconds := rapid.Int64Range(-62135596800, 253402300799).Draw(t, "seconds")
		nanos := rapid.Int64Range(0, 999_999_999).Draw(t, "nanos")
		return time.Unix(seconds, nanos).UTC().Format(time.RFC3339Nano)
	case model.KindDuration:
		return fmt.Sprintf("%d.%09ds", rapid.Int64Range(-1e9, 1e9).Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanos"))
	case model.KindStruct:
		return map[string]any{rapid.String().Draw(t, "key"): drawValue(t, model.Type{Kind: model.KindValue}, 0)}
	case model.KindListValue:
		return []any{drawValue(t, model.Type{Kind: model.KindValue}, 0)}
	case model.KindValue:
		return rapid.SampledFrom([]any{true, nil, 1.5, "text", []any{nil}, map[string]any{"a": 1}}).Draw(t, "value")
	}
	return rapid.String().Draw(t, "string")
}
