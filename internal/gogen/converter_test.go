package gogen_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/coordgen/coordgen/internal/consumer"
	"github.com/coordgen/coordgen/internal/convert"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/randompb"
	"github.com/coordgen/coordgen/runtime/wire"
)

// What coordgen convert does is what generated code does: it writes the same
// bytes, and refuses the same ones with the same words. It says of more that
// protobuf can't carry it, and refuses keys that generated code leaves out.
func TestConverterAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	generated := startConverter(t)

	// What a message must have at least, by its name.
	required := map[string]string{
		"broad.Broad":       `{}`,
		"form.Kinds":        `{}`,
		"shop.orders.Order": `{"id":"x"}`,
		"shop.orders.Batch": `{}`,
		"plain.Plain":       `{"must":"red","inner":[],"at":"2020-01-01T00:00:00Z","hold":"0s","raw":"","meta":{},"value":2,"one":{}}`,
		"rules.Rules":       `{"id":"x","must":"2020-01-01T00:00:00Z","wrapped":3}`,
	}
	for _, file := range []string{
		"testdata/broad/broad.proto", "testdata/orders/orders.proto", "testdata/protojson/form.proto",
		"../convert/testdata/plain.proto", "../convert/testdata/rules.proto",
	} {
		r, err := load.Load(t.Context(), load.Options{Files: []string{file}, Include: []string{path.Dir(file)}})
		require.NoError(t, err)
		for _, f := range r.Schema.Files {
			for _, message := range f.Messages {
				name := message.Name
				if required[name] == "" {
					continue
				}
				c, err := convert.New(message, r.Descriptor(message))
				require.NoError(t, err)
				t.Run(name, func(t *testing.T) {
					agree := func(t require.TestingT, data []byte, from string) {
						want := string(generated(fmt.Appendf(nil, "%s %s %s", name, from, base64.StdEncoding.EncodeToString(data))))
						got, relays := converted(c, data, from)
						wants := strings.Split(want, "\t")
						require.Len(t, wants, len(got), "%s %q gave %s, converted %q", from, data, want, got)
						for i := range got {
							if i == 2 && !relays {
								continue
							}
							require.Equal(t, wants[i], got[i], "%s %q", from, data)
						}
					}
					least := []byte(required[name])
					agree(t, least, convert.JSON) // all the rest is as the defaults say
					base, _, err := c.Convert(least, convert.JSON, convert.Protobuf)
					require.NoError(t, err)
					rapid.Check(t, func(t *rapid.T) {
						data, err := proto.MarshalOptions{AllowPartial: true}.Marshal(randompb.Message(t, r.Descriptor(message)))
						require.NoError(t, err)
						data = append(slices.Clone(base), data...) // which protobuf takes for one message
						from := rapid.SampledFrom(convert.Codecs()).Draw(t, "codec")
						if data, _, err = c.Convert(data, convert.Protobuf, from); err != nil {
							require.ErrorIs(t, err, wire.ErrMissing)
							return
						}
						if len(data) > 1 && rapid.Bool().Draw(t, "change") {
							at := rapid.IntRange(0, len(data)-1).Draw(t, "at")
							data[at] = rapid.Byte().Draw(t, "byte")
						}
						agree(t, data, from)
					})
				})
			}
		}
	}
}

// startConverter starts testdata/converter with the code of the schemas.
func startConverter(t *testing.T) func([]byte) []byte {
	m := consumer.New(t, "example.com")
	for _, folder := range []string{"testdata/broad", "testdata/orders", "testdata/protojson", "../convert/testdata"} {
		for _, f := range generate(t, folder) {
			m.Write(f.Package.Path[len("example.com/"):]+"/"+f.Name, f.Content)
		}
	}
	source, err := os.ReadFile("testdata/converter/main.go.txt")
	require.NoError(t, err)
	m.Write("main.go", source)
	m.Go("mod", "tidy")
	m.Go("build", "-o", "converter.exe", ".")
	return m.Start("converter.exe")
}

// converted says what the converter makes of a payload, as the program does, and
// whether it has all of it in protobuf.
func converted(c *convert.Converter, data []byte, from string) (all []string, relays bool) {
	var fault *wire.Error
	if _, _, err := c.Convert(data, from, from); errors.As(err, &fault) && fault.Offset >= 0 {
		return []string{fmt.Sprintf("%q", err.Error())}, false // of the reader
	}
	relays = true
	for _, to := range convert.Codecs() {
		out, _, err := c.Convert(data, from, to)
		written := fmt.Sprintf("=%x", out)
		if err != nil {
			relays = relays && !strings.Contains(err.Error(), "the schema has no field with this key")
			written = fmt.Sprintf("%q", strings.Replace(err.Error(), "protobuf can't carry it: ", "", 1))
		}
		all = append(all, written)
	}
	return all, relays
}
