package plugin_test

import (
	"bytes"
	"cmp"
	"go/format"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/coordgen/coordgen/internal/plugin"
)

// Any bytes are refused as no request, or answered.
func FuzzRequest(f *testing.F) {
	for i, r := range requests(f) {
		for seed := range uint64(4) {
			mutate(r, rand.New(rand.NewPCG(uint64(i), seed))) //nolint:gosec // repeatable seeds are wanted
			raw, err := proto.Marshal(r)
			require.NoError(f, err)
			f.Add(raw)
		}
	}
	f.Fuzz(checkAnswer)
}

// Descriptors that no compiler would make are answered too: those of an example,
// with some of their values dropped, doubled or exchanged, as the seed says.
func FuzzDescriptors(f *testing.F) {
	all := requests(f)
	for i := range all {
		f.Add(uint8(i), uint64(i))
	}
	f.Fuzz(func(t *testing.T, which uint8, seed uint64) {
		r := proto.CloneOf(all[int(which)%len(all)])
		mutate(r, rand.New(rand.NewPCG(seed, 0))) //nolint:gosec // a repeatable choice is wanted
		raw, err := proto.Marshal(r)
		require.NoError(t, err)
		checkAnswer(t, raw)
	})
}

// checkAnswer checks that the answer tells faults in words, or has Go code under
// names that stay in the output folder.
func checkAnswer(t *testing.T, raw []byte) {
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
}

// requests are as protoc makes them, without the comments and places of all files
// but the last, which would be most of their bytes.
func requests(f *testing.F) []*pluginpb.CodeGeneratorRequest {
	home, err := os.Getwd()
	require.NoError(f, err)
	defer f.Chdir(home) // where the fuzzer's workers look for the examples
	var all []*pluginpb.CodeGeneratorRequest
	for _, e := range examples(f) {
		f.Chdir(e.folder)
		targets := e.load(f)
		r := request(f, e.Include, targets, e.parameter())
		for _, d := range r.GetProtoFile()[:len(r.GetProtoFile())-1] {
			d.SourceCodeInfo = nil
		}
		all = append(all, r)
	}
	return all
}

// A value is one that is set somewhere in a request.
type value struct {
	in    protoreflect.Message
	field protoreflect.FieldDescriptor
}

// values collects all values of a message, those of its messages among them, in an
// order that is the same each time.
func values(m protoreflect.Message) []value {
	var set []protoreflect.FieldDescriptor
	m.Range(func(f protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		set = append(set, f)
		return true
	})
	slices.SortFunc(set, func(a, b protoreflect.FieldDescriptor) int { return cmp.Compare(a.Number(), b.Number()) })
	var all []value
	for _, f := range set {
		v := m.Get(f)
		all = append(all, value{m, f})
		switch {
		case f.Message() == nil || f.Name() == "source_code_info":
		case f.IsList():
			for i := range v.List().Len() {
				all = append(all, values(v.List().Get(i).Message())...)
			}
		default:
			all = append(all, values(v.Message())...)
		}
	}
	return all
}

// mutate changes a few values of a message.
func mutate(m proto.Message, random *rand.Rand) {
	all := values(m.ProtoReflect())
	for range min(1+random.IntN(4), len(all)) {
		v, other := all[random.IntN(len(all))], all[random.IntN(len(all))]
		set := v.in.Get(v.field)
		switch kind := v.field.Kind(); {
		case random.IntN(6) == 0:
			v.in.Clear(v.field)
		case v.field.IsList():
			if n := set.List().Len(); n > 0 { // a change before this one may have cleared it
				set.List().Append(set.List().Get(random.IntN(n)))
			}
		case kind == protoreflect.StringKind && other.field.Kind() == kind && !other.field.IsList():
			v.in.Set(v.field, other.in.Get(other.field))
		case kind == protoreflect.Int32Kind:
			v.in.Set(v.field, protoreflect.ValueOfInt32(random.Int32N(40)-4))
		case kind == protoreflect.EnumKind:
			v.in.Set(v.field, protoreflect.ValueOfEnum(protoreflect.EnumNumber(random.Int32N(20))))
		case kind == protoreflect.BoolKind:
			v.in.Set(v.field, protoreflect.ValueOfBool(!set.Bool()))
		}
	}
}
