package load_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/load"
)

// Of bytes that an editor does not show as they are, each fault is told where it
// stands.
func TestText(t *testing.T) {
	const head = "syntax = \"proto3\";\npackage p;\n"
	for name, c := range map[string]struct{ text, fault, warning string }{
		"old Mac": {
			text:  strings.ReplaceAll(head+"// A message.\nmessage M {}\n", "\n", "\r"),
			fault: "a.proto:1:19: a carriage return stands here without a line feed, so that protobuf sees no end of the line; give the file the line ends of Unix or Windows",
		},
		"Windows":       {text: strings.ReplaceAll(head+"// A message.\nmessage M {}\n", "\n", "\r\n")},
		"doubled":       {text: head + "// A message.\r\r\nmessage M {}\n"},
		"byte order":    {text: "\uFEFF" + head},
		"nearly long":   {text: head + "//" + strings.Repeat("x", 1<<17-3) + "\n"},
		"long":          {text: head + "//" + strings.Repeat("x", 1<<17-2) + "\n", fault: "a.proto:3:1: the line has 131073 bytes, of at most 131072; break it"},
		"Latin-1":       {text: head + "\t\u00e9 // caf\xe9", fault: "a.proto:3:9: invalid character", warning: "a.proto:3:17: this is no UTF-8, and becomes U+FFFD; save the file as UTF-8"},
		"Latin-1 words": {text: head + "message M {} // caf\xe9", warning: "a.proto:3:20: this is no UTF-8, and becomes U+FFFD; save the file as UTF-8"},
		"key":           {text: head + `message M { string a = 1 [json_name = "\xff"]; }`, fault: `a.proto:3:13: field "p.M.a" has the key "\xff", which is no UTF-8; give it another`},
		"option": {
			text:  head + `import "coordgen/options.proto"; message M { string a = 1 [(coordgen.field).name = "\xff"]; }`,
			fault: `a.proto:3:59: option (coordgen.field) can't be read: a text in it is no UTF-8`,
		},
		"default": {
			text:  `syntax = "proto2"; message M { optional string a = 1 [default = "\xff"]; }`,
			fault: `a.proto:1:32: field "M.a" has the default "\xff", which is no UTF-8; change it, or make the field bytes`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			require.NoError(t, os.WriteFile("a.proto", []byte(c.text), 0o600))
			r, err := load.Load(t.Context(), load.Options{Files: []string{"a.proto"}})
			if c.fault == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.fault)
			}
			var warnings []string
			for _, w := range r.Warnings {
				warnings = append(warnings, w.Error())
			}
			assert.Equal(t, c.warning, strings.Join(warnings, "\n"))
		})
	}
}
