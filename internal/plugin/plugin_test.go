package plugin_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/coordgen/coordgen/internal/plugin"
	"github.com/coordgen/coordgen/internal/version"
)

// A person asks it what it is.
func TestByHand(t *testing.T) {
	for _, test := range []struct {
		name     string
		args     []string
		code     int
		out, err string
	}{
		{"help", []string{"--help"}, 0, "protoc-gen-coordgen is coordgen as a plugin of protoc and buf", ""},
		{"help, in short", []string{"-h"}, 0, "Parameters:", ""},
		{"version", []string{"--version"}, 0, version.Describe() + "\n", ""},
		{"a schema", []string{"orders.proto"}, 2, "", `it takes --help or --version, not ["orders.proto"]`},
		{"too much", []string{"--version", "--help"}, 2, "", `not ["--version" "--help"]`},
		{"nothing on standard input", nil, 1, "", "what came on standard input (0 bytes) is no request"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out, stderr bytes.Buffer
			assert.Equal(t, test.code, plugin.Main(test.args, plugin.Streams{In: strings.NewReader(""), Out: &out, Err: &stderr}))
			assert.Contains(t, out.String(), test.out)
			assert.Contains(t, stderr.String(), test.err)
			assert.Equal(t, test.out == "", out.Len() == 0)
			assert.Equal(t, test.err == "", stderr.Len() == 0)
			for line := range strings.Lines(out.String()) {
				assert.LessOrEqual(t, len(line), 81, line)
			}
		})
	}
}

// On a terminal it says what it is for, and does not wait for a request.
func TestOnATerminal(t *testing.T) {
	device, err := os.Open(os.DevNull) // a device, as terminals are
	require.NoError(t, err)
	defer device.Close()
	var out, stderr bytes.Buffer
	assert.Equal(t, 1, plugin.Main(nil, plugin.Streams{In: device, Out: &out, Err: &stderr}))
	assert.Empty(t, out.String())
	assert.Contains(t, stderr.String(), "protoc-gen-coordgen is a plugin of protoc and buf: they run it")
	assert.Contains(t, stderr.String(), "coordgen generate")
}

// What can't be read or written is all that it fails for.
func TestBrokenStreams(t *testing.T) {
	raw, err := proto.Marshal(request(t, nil, []string{"coordination.proto"}, ""))
	require.NoError(t, err)
	broken := errors.New("broken pipe")
	var out, stderr bytes.Buffer
	for name, s := range map[string]plugin.Streams{
		"read the request: broken pipe":           {In: iotest.ErrReader(broken), Out: &out},
		"write the answer: broken pipe":           {In: bytes.NewReader(raw), Out: failing{broken}},
		"on standard input (18 bytes) is no requ": {In: strings.NewReader("syntax = \"proto3\";\n"[:18]), Out: &out},
	} {
		stderr.Reset()
		s.Err = &stderr
		assert.Equal(t, 1, plugin.Main(nil, s), name)
		assert.Contains(t, stderr.String(), name)
		assert.Zero(t, out.Len())
	}
}

// failing is a writer that can't write.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
