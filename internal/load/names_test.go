package load

import (
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protoreflect"
	"pgregory.net/rapid"

	"github.com/coordgen/coordgen/internal/model"
)

func TestGoName(t *testing.T) {
	for name, want := range map[string]string{
		"instance_id":  "InstanceID",
		"http_url":     "HTTPURL",
		"user_ids":     "UserIDs",
		"userIds":      "UserIDs",
		"imageURLs":    "ImageURLs",
		"sessionId":    "SessionID",
		"HTTPServer":   "HTTPServer",
		"apiKey":       "APIKey",
		"tls":          "TLS",
		"https":        "HTTPS",
		"idle":         "Idle",
		"valid":        "Valid",
		"MAX_RETRIES":  "MaxRetries",
		"FOO":          "FOO",
		"FooBar":       "FooBar",
		"foo":          "Foo",
		"foo_":         "Foo",
		"_foo":         "XFoo",
		"_1":           "X1",
		"___":          "X",
		"a__b":         "AB",
		"v1_2":         "V1_2",
		"v12":          "V12",
		"ipv4_address": "Ipv4Address",
		"sha256Sum":    "Sha256Sum",
		"x":            "X",
	} {
		assert.Equal(t, want, goName(name), name)
	}
}

func TestGoNamesAreExportedIdentifiers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-zA-Z_][a-zA-Z0-9_]{0,12}`).Draw(t, "name")
		for _, got := range []string{goName(name), fieldName(name)} {
			if !token.IsIdentifier(got) || !token.IsExported(got) || (got == fieldName(name) && reserved(got)) {
				t.Fatalf("%q becomes %q", name, got)
			}
		}
	})
}

func TestReserved(t *testing.T) {
	for _, name := range []string{"AppendJSON", "MarshalMsgpack", "ReadProto", "WriteJSON", "EncodeMsgpack", "String", "Unknown", "Reset"} {
		assert.True(t, reserved(name), name)
	}
	for _, name := range []string{"Append", "JSON", "AppendXML", "Strings", ""} {
		assert.False(t, reserved(name), name)
	}
}

func TestWithoutPrefix(t *testing.T) {
	for _, c := range []struct{ enum, value, want string }{
		{"ShutdownIntent", "SHUTDOWN_INTENT_HEALTH_FAILURE", "HEALTH_FAILURE"},
		{"OAuth2Kind", "OAUTH2_KIND_A", "A"},
		{"Color", "color_red", "red"},
		{"Color", "RED", "RED"},
		{"Color", "COLORED", "COLORED"},
		{"Color", "COLOR", "COLOR"},
		{"Color", "COLOR_", "COLOR_"},
		{"Color", "COLOR__RED", "RED"},
		{"Color", "COLOR_2", "2"},
		{"Color", "COLO", "COLO"},
		{"_", "_A", "A"},
	} {
		assert.Equal(t, c.want, withoutPrefix(c.enum, c.value), "%s of %s", c.value, c.enum)
	}
}

func TestDefaultJSONName(t *testing.T) {
	for name, want := range map[string]string{"foo_bar": "fooBar", "_foo": "Foo", "foo_1": "foo1", "Foo__Bar": "FooBar", "a_": "a"} {
		assert.Equal(t, want, defaultJSONName(name), name)
	}
}

func TestPackageNames(t *testing.T) {
	for elements, want := range map[[2]string]string{
		{"orders", "v1"}: "orders", {"a", "v1beta1"}: "v1beta1", {"a", "go-lib.x"}: "go_lib_x",
		{"a", "type"}: "type_", {"a", "2fa"}: "p2fa", {"a", "_"}: "schema", {"a", "été"}: "_t_",
	} {
		assert.Equal(t, want, packageName(lastElement(elements[:])), "%q", elements)
	}
}

// The model takes the numbers of the vocabulary's enums as its own.
func TestVocabularyNumbers(t *testing.T) {
	v, err := builtin()
	require.NoError(t, err)
	for role, want := range map[model.Role]string{model.Heartbeat: "HEARTBEAT", model.Shutdown: "SHUTDOWN", model.Assignment: "ASSIGNMENT"} {
		assert.Equal(t, want, v.message.valueName("role", int(role)))
	}
	for role, want := range map[model.FieldRole]string{
		model.InstanceID: "INSTANCE_ID", model.SentAt: "SENT_AT", model.Work: "WORK", model.InFlight: "IN_FLIGHT",
		model.IsLeader: "IS_LEADER", model.Load: "LOAD", model.Intent: "INTENT", model.Deadline: "DEADLINE",
		model.Metadata: "METADATA", model.Target: "TARGET", model.Priority: "PRIORITY",
	} {
		assert.Equal(t, want, v.field.valueName("role", int(role)))
		want, _ := fits(&model.Field{}, role)
		assert.NotEmpty(t, want, "role %d is not one that a field can have", role)
	}
	for event, want := range map[model.Event]string{model.PeerTimeout: "PEER_TIMEOUT", model.LeaderChange: "LEADER_CHANGE"} {
		assert.Equal(t, want, v.callback.valueName("on", int(event)))
	}
	assert.Equal(t, "DROP", v.schema.valueName("unknown_fields", 2))
	for _, role := range []model.Role{model.Heartbeat, model.Shutdown, model.Assignment} {
		for _, r := range required(role) {
			assert.NotEmpty(t, v.roles[role].declared[r], "the built-in message has no field for a required role")
		}
	}
	assert.Equal(t, protoreflect.FieldNumber(72610), v.field.number)
}
