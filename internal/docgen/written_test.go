package docgen_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/generated/coordination"
	"github.com/coordgen/coordgen/generated/wellknown"
	"github.com/coordgen/coordgen/internal/docgen"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/runtime/wire"
)

// validators compiles the schemas of an AsyncAPI document, by the names of their
// messages and enums.
func validators(t *testing.T, document []byte) map[string]*jsonschema.Schema {
	const url = "https://example.com/asyncapi.json"
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft7)
	c.AssertFormat()
	c.AssertContent()
	require.NoError(t, c.AddResource(url, parsed))
	all := map[string]*jsonschema.Schema{}
	components, _ := parsed.(map[string]any)["components"].(map[string]any)
	schemas, _ := components["schemas"].(map[string]any)
	for name := range schemas {
		all[name], err = c.Compile(url + "#/components/schemas/" + name)
		require.NoError(t, err, name)
	}
	return all
}

func validate(t *testing.T, s *jsonschema.Schema, document string) error {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(document))
	require.NoError(t, err, document)
	return s.Validate(v)
}

// Every schema that is written is one of draft 7, and its references resolve.
func TestEverySchemaIsOneOfDraft7(t *testing.T) {
	for _, s := range corpus(t) {
		want := 0
		for _, p := range s.parts {
			for _, f := range p.Schema.Files {
				if f.Target {
					want += len(f.Messages) + len(f.Enums)
				}
			}
		}
		got := validators(t, generate(t, s.parts, docgen.Options{Format: docgen.AsyncAPI, JSON: true}))
		assert.GreaterOrEqual(t, len(got), want, s.name)
	}
}

func coordinationSchemas(t *testing.T) map[string]*jsonschema.Schema {
	p := parts(t, load.Options{Files: []string{"coordination.proto"}})
	return validators(t, generate(t, p, docgen.Options{Format: docgen.AsyncAPI, JSON: true}))
}

// The messages that the reference writes are valid, and so is what the generated
// code writes for them.
func TestTheReferencesMessagesAreValid(t *testing.T) {
	raw, err := os.ReadFile("../../generated/coordination/testdata/vectors.json")
	require.NoError(t, err)
	var rows []struct{ Message, JSON string }
	require.NoError(t, json.Unmarshal(raw, &rows))
	require.NotEmpty(t, rows)
	schemas := coordinationSchemas(t)
	for _, r := range rows {
		m := map[string]any{
			"HeartbeatMessage":     new(coordination.HeartbeatMessage),
			"ShutdownNotification": new(coordination.ShutdownNotification),
			"WorkAssignment":       new(coordination.WorkAssignment),
		}[r.Message]
		require.NoError(t, wire.Unmarshal(wire.JSON, []byte(r.JSON), m))
		written, err := wire.Append(wire.JSON, nil, m)
		require.NoError(t, err)
		s := schemas["coordination."+r.Message]
		require.NotNil(t, s, r.Message)
		require.NoError(t, validate(t, s, r.JSON), r.JSON)
		require.NoError(t, validate(t, s, string(written)), "%s", written)
	}
}

// What the generated code refuses, and what it never writes, is not valid.
func TestWrongMessagesAreNotValid(t *testing.T) {
	schemas := coordinationSchemas(t)
	const notice = `{"instance_id":"a","intent":"graceful","initiated_at":"2030-01-02T03:04:05+00:00",` +
		`"expected_completion_at":"2030-01-02T03:04:05.000001+00:00","subscriptions":["x"],"in_flight_count":1,"metadata":{"zone":null}}`
	for _, change := range []struct{ old, new string }{
		{"", ""},
		{`"graceful"`, `"one_of_a_newer_version"`},
		{`"metadata":{"zone":null}`, `"newer":[1]`},
		{`"subscriptions":["x"],"in_flight_count":1,`, ``},
	} {
		text := strings.Replace(notice, change.old, change.new, 1)
		assert.NoError(t, validate(t, schemas["coordination.ShutdownNotification"], text), text)
		assert.NoError(t, new(coordination.ShutdownNotification).UnmarshalJSON([]byte(text)))
	}
	for _, change := range []struct{ old, new string }{
		{`"instance_id":"a",`, ``},
		{`"intent":"graceful",`, ``},
		{`"initiated_at":"2030-01-02T03:04:05+00:00",`, ``},
		{`"instance_id":"a"`, `"instance_id":null`},
		{`"instance_id":"a"`, `"instance_id":1`},
		{`"graceful"`, `""`},
		{`"graceful"`, `true`},
		{`"2030-01-02T03:04:05+00:00"`, `"2030-01-02T03:04:05"`},
		{`"2030-01-02T03:04:05+00:00"`, `"2030-02-30T03:04:05+00:00"`},
		{`["x"]`, `"x"`},
		{`["x"]`, `[1]`},
		{`["x"]`, `[null]`},
		{`"in_flight_count":1`, `"in_flight_count":1.5`},
		{`"in_flight_count":1`, `"in_flight_count":9223372036854775808`},
		{`{"zone":null}`, `[]`},
	} {
		text := strings.Replace(notice, change.old, change.new, 1)
		require.NotEqual(t, notice, text)
		assert.Error(t, validate(t, schemas["coordination.ShutdownNotification"], text), text)
		assert.Error(t, new(coordination.ShutdownNotification).UnmarshalJSON([]byte(text)), text)
	}
}

// Protobuf's own messages, as the generated code writes them.
func TestWellKnownMessagesAreValid(t *testing.T) {
	p := parts(t, load.Options{Files: []string{
		"google/protobuf/any.proto", "google/protobuf/api.proto", "google/protobuf/empty.proto",
		"google/protobuf/field_mask.proto", "google/protobuf/type.proto",
	}})
	schemas := validators(t, generate(t, p, docgen.Options{Format: docgen.AsyncAPI, JSON: true}))
	any0 := wellknown.Any{TypeURL: "example.com/x", Value: []byte{0, 1, 255}}
	option := wellknown.Option{Name: "o", Value: &any0}
	for name, m := range map[string]interface{ AppendJSON([]byte) ([]byte, error) }{
		"Any":       &any0,
		"Empty":     &wellknown.Empty{Unknown: wire.Unknown{{Key: "newer", Format: wire.JSON, Raw: []byte(`{"a":[null]}`)}}},
		"FieldMask": &wellknown.FieldMask{Paths: []string{"a.b", "c"}},
		"Api": &wellknown.API{
			Name: "a", Methods: []wellknown.Method{{Name: "m", Options: []wellknown.Option{option}, Syntax: wellknown.SyntaxProto3}},
			SourceContext: &wellknown.SourceContext{FileName: "f"}, Mixins: []wellknown.Mixin{{Name: "x"}}, Syntax: "of_a_newer_version",
		},
		"Type": &wellknown.Type{
			Fields: []wellknown.Field{{Kind: "type_int32", Cardinality: "", Number: -1, Options: []wellknown.Option{option}}}, Oneofs: []string{"o"},
		},
		"Enum": &wellknown.Enum{},
	} {
		written, err := m.AppendJSON(nil)
		require.NoError(t, err, name)
		s := schemas["google.protobuf."+name]
		require.NotNil(t, s, name)
		assert.NoError(t, validate(t, s, string(written)), "%s", written)
	}
	assert.Error(t, validate(t, schemas["google.protobuf.Any"], `{"value":"not base64"}`))
	assert.Error(t, validate(t, schemas["google.protobuf.Type"], `{"fields":[{"number":2147483648}]}`))
}

// Values at the edges of their types are valid as they are written.
func TestValuesAtTheEdgesAreValid(t *testing.T) {
	schemas := coordinationSchemas(t)
	at := time.Date(2031, 2, 3, 4, 5, 6, 7, time.FixedZone("", 3600))
	for name, m := range map[string]interface{ AppendJSON([]byte) ([]byte, error) }{
		"HeartbeatMessage":     &coordination.HeartbeatMessage{Timestamp: at, LoadFactor: 1e-7, InFlightCount: -1 << 63},
		"ShutdownNotification": &coordination.ShutdownNotification{Intent: "7", InitiatedAt: at, ExpectedCompletionAt: at},
		"WorkAssignment":       &coordination.WorkAssignment{AssignedAt: at, Priority: 1<<63 - 1, Subscriptions: []string{"\u2028", "\x00"}},
	} {
		written, err := m.AppendJSON(nil)
		require.NoError(t, err)
		assert.NoError(t, validate(t, schemas["coordination."+name], string(written)), "%s", written)
	}
}
