package plugin_test

import (
	"bytes"
	"go/format"
	"io/fs"
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/coordgen/coordgen/internal/plugin"
)

// Any bytes are refused as no request, or answered: with faults in words, or with
// Go code under names that stay in the output folder.
func FuzzRequest(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // repeatable seeds are wanted
	for _, r := range real(f) {
		raw, err := proto.Marshal(r)
		require.NoError(f, err)
		f.Add(raw)
		for range 8 {
			f.Add(mutated(random, raw))
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var out, stderr bytes.Buffer
		if plugin.Main(nil, plugin.Streams{In: bytes.NewReader(raw), Out: &out, Err: &stderr}) != 0 {
			require.Contains(t, stderr.String(), "is no request of protoc or buf")
			return
		}
		response := &pluginpb.CodeGeneratorResponse{}
		require.NoError(t, proto.Unmarshal(out.Bytes(), response))
		require.NotContains(t, response.GetError(), "coordgen breaks")
		for _, file := range response.GetFile() {
			require.True(t, fs.ValidPath(file.GetName()), file.GetName())
			require.True(t, strings.HasSuffix(path.Base(file.GetName()), ".gen.go"), file.GetName())
			formatted, err := format.Source([]byte(file.GetContent()))
			require.NoError(t, err)
			require.Equal(t, string(formatted), file.GetContent())
		}
	})
}

// real are requests as protoc makes them, without the comments and places of the
// files that they do not ask for, which would be most of their bytes.
func real(f *testing.F) []*pluginpb.CodeGeneratorRequest {
	var all []*pluginpb.CodeGeneratorRequest
	for _, e := range examples(f) {
		f.Chdir(e.folder)
		targets := e.load(f)
		r := request(f, e.include, targets, e.parameter())
		for _, d := range r.GetProtoFile()[:len(r.GetProtoFile())-1] {
			d.SourceCodeInfo = nil
		}
		all = append(all, r)
	}
	return all
}

// mutated returns bytes of which a few are others.
func mutated(random *rand.Rand, raw []byte) []byte {
	raw = bytes.Clone(raw)
	for range 1 + random.IntN(6) {
		i := random.IntN(len(raw))
		switch random.IntN(3) {
		case 0:
			raw[i] = byte(random.IntN(256))
		case 1:
			raw[i] ^= 1 << random.IntN(8)
		case 2:
			raw[i]++
		}
	}
	return raw
}
