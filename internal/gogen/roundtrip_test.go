//go:build servers

package gogen_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"pgregory.net/rapid"

	"github.com/coordgen/coordgen/internal/consumer"
	"github.com/coordgen/coordgen/internal/gogen"
	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/internal/randompb"
)

// checkRoundTrips compiles a share of the packages, and takes random messages of
// all that they declare through their code.
func checkRoundTrips(t *testing.T, schema *model.Schema, files []gogen.File, include []string) {
	m := consumer.New(t, home)
	for _, f := range files {
		m.Write(strings.TrimPrefix(f.Package.Path, home+"/")+"/"+f.Name, f.Content)
	}
	var chosen []*model.Message
	var paths []string
	for _, m := range messages(schema) {
		h := fnv.New32a()
		h.Write([]byte(m.File.Go.Path))
		if int(h.Sum32()%100) < *share && !strings.Contains(m.File.Go.Path, "/internal/") {
			chosen = append(chosen, m)
			paths = append(paths, m.File.Path)
		}
	}
	m.Write("main.go", program(chosen))
	m.Go("mod", "tidy")
	m.Go("build", "-o", "corpus.exe", ".")
	through := m.Start("corpus.exe")

	slices.Sort(paths)
	compiler := protocompile.Compiler{Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: include})}
	compiled, err := compiler.Compile(t.Context(), slices.Compact(paths)...)
	require.NoError(t, err)
	t.Logf("%d messages are compiled and run", len(chosen))
	text := newMapping(schema)
	for _, m := range chosen {
		d, err := compiled.AsResolver().FindDescriptorByName(protoreflect.FullName(m.Name))
		require.NoError(t, err)
		descriptor := d.(protoreflect.MessageDescriptor)
		for seed := range 20 {
			want := rapid.Custom(func(t *rapid.T) protoreflect.ProtoMessage { return randompb.Message(t, descriptor) }).Example(seed)
			line, err := json.Marshal(text.of(want.ProtoReflect()))
			require.NoError(t, err)
			answer := through(append([]byte(m.Name+" "), line...))
			got := dynamicpb.NewMessage(descriptor)
			require.NoError(t, text.read(answer, got), "%s\n%s\ngave %s", m.Name, line, answer)
			require.True(t, proto.Equal(want, got), "%s\n%s\ngave %s", m.Name, line, answer)
		}
	}
}

// program is one that takes lines of a message's name and its JSON through the
// message's codecs.
func program(messages []*model.Message) []byte {
	var imports, cases bytes.Buffer
	names := map[string]string{}
	for _, m := range messages {
		name, known := names[m.File.Go.Path]
		if !known {
			name = fmt.Sprintf("p%d", len(names))
			names[m.File.Go.Path] = name
			fmt.Fprintf(&imports, "\t%s %q\n", name, m.File.Go.Path)
		}
		fmt.Fprintf(&cases, "\tcase %q:\n\t\treturn new(%s.%s)\n", m.Name, name, m.Go)
	}
	return fmt.Appendf(nil, `package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"

%s)

type message interface {
	UnmarshalJSON([]byte) error
	AppendJSON([]byte) ([]byte, error)
	UnmarshalMsgpack([]byte) error
	AppendMsgpack([]byte) ([]byte, error)
	UnmarshalProto([]byte) error
	AppendProto([]byte) ([]byte, error)
}

func empty(name string) message {
	switch name {
%s	}
	panic(name)
}

func main() {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		name, text, _ := bytes.Cut(line, []byte(" "))
		again, err := through(empty(string(name)), empty(string(name)), text)
		if err != nil {
			again = []byte("error: " + err.Error())
		}
		fmt.Printf("%%s\n", again)
	}
}

func through(m, again message, text []byte) ([]byte, error) {
	if err := m.UnmarshalJSON(text); err != nil {
		return nil, fmt.Errorf("read JSON: %%w", err)
	}
	data, err := m.AppendMsgpack(nil)
	if err != nil {
		return nil, fmt.Errorf("write msgpack: %%w", err)
	}
	if err := again.UnmarshalMsgpack(data); err != nil {
		return nil, fmt.Errorf("read msgpack: %%w", err)
	}
	if data, err = again.AppendProto(data[:0]); err != nil {
		return nil, fmt.Errorf("write protobuf: %%w", err)
	}
	if err := again.UnmarshalProto(data); err != nil {
		return nil, fmt.Errorf("read protobuf: %%w", err)
	}
	return again.AppendJSON(nil)
}
`, imports.String(), cases.String())
}
