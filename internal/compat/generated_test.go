package compat_test

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"text/template"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/compat"
	"github.com/coordgen/coordgen/internal/consumer"
	"github.com/coordgen/coordgen/internal/convert"
	"github.com/coordgen/coordgen/internal/gogen"
	"github.com/coordgen/coordgen/internal/model"
)

var (
	//go:embed testdata/proof/main.go.txt
	proofMain []byte
	//go:embed testdata/proof/versions.go.tmpl
	proofVersions string
)

// A version is one schema of an example in the program that has the code of all.
type version struct {
	Name string
	loaded
}

// Messages and Services are those of the schema's own file.
func (v version) Messages() []*model.Message { return v.file().Messages }
func (v version) Services() []*model.Service { return v.file().Services }

// TestGeneratedProof shows that what check says of the examples is so, by one program
// of the code that is generated for all of them. As [TestProof] it reads random
// messages; and it publishes them to see whom they reach.
func TestGeneratedProof(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program of a hundred packages")
	}
	all := slices.DeleteFunc(examples(t), func(e example) bool {
		// one has a message whose code is in no package of the example, the others call functions that are in none
		return e.rule == compat.TopicPayloadChanged || migrating(e.rule)
	})
	m := consumer.New(t, "example.com/proof")
	names := map[*model.File]string{}
	var versions []version
	for i, e := range all {
		for _, l := range append(slices.Clone(e.recorded), e.fails, e.passes) {
			v := version{fmt.Sprintf("e%d%s", i, l.name), l}
			versions = append(versions, v)
			names[l.file()] = v.Name
			l.file().Go = model.GoPackage{Path: "example.com/proof/" + v.Name, Name: v.Name}
			files, err := gogen.Generate(l.Schema, gogen.Options{Version: "v0.0.0"})
			require.NoError(t, err)
			for _, f := range files {
				m.Write(v.Name+"/"+f.Name, f.Content)
			}
		}
	}
	var registry bytes.Buffer
	require.NoError(t, template.Must(template.New("").Parse(proofVersions)).Execute(&registry, versions))
	m.Write("versions.go", registry.Bytes())
	m.Write("main.go", proofMain)
	m.Go("mod", "tidy")
	m.Go("build", "-o", "proof.exe", ".")
	p := program{m.Start("proof.exe"), names}
	for _, e := range all {
		t.Run(filepath.Base(e.path), func(t *testing.T) {
			e.prove(t, p.reader)
			p.topics(t, e)
		})
	}
}

// A program has the code of all versions, by their names.
type program struct {
	ask   func(line []byte) []byte
	names map[*model.File]string
}

// A generated is the code of a message.
type generated struct {
	program

	message *model.Message
}

func (p program) reader(_ *testing.T, _ loaded, m *model.Message) reader { return generated{p, m} }

// Convert reads and writes a message.
func (g generated) Convert(data []byte, from, to string) ([]byte, []string, error) {
	answer := g.ask(fmt.Appendf(nil, "convert %s %s %s %s %s", g.names[g.message.File], g.message.Name, from, to, base64.StdEncoding.EncodeToString(data)))
	text, ok := bytes.CutPrefix(answer, []byte("="))
	if !ok {
		return nil, nil, errors.New(string(answer))
	}
	out, err := base64.StdEncoding.DecodeString(string(text))
	return out, nil, err
}

// topics compares what check says of topics with whom messages reach: a message is lost
// if it reaches a callback of the publisher's version, and not that of the other one, or
// the reverse. One on a topic that is new is not.
func (p program) topics(t *testing.T, e example) {
	t.Helper()
	for _, next := range []loaded{e.fails, e.passes} {
		old := e.recorded[len(e.recorded)-1]
		var backward, forward bool
		for _, f := range e.check(next).Findings {
			backward = backward || topical(f.Rule) && f.Backward == compat.All
			forward = forward || topical(f.Rule) && f.Forward == compat.All
		}
		assert.Equal(t, backward, p.miss(t, old, next, false), "what old code publishes reaches who has the code of %s", next.name)
		assert.Equal(t, forward, p.miss(t, next, old, true), "what the code of %s publishes reaches who has old code", next.name)
	}
}

func (p program) miss(t *testing.T, from, to loaded, forward bool) bool {
	t.Helper()
	var there []string
	for _, s := range to.file().Services {
		for _, c := range s.Fed() {
			there = append(there, s.FullName()+"."+c.Name)
		}
	}
	for _, s := range from.file().Services {
		for _, c := range s.Fed() {
			name := s.FullName() + "." + c.Name
			if forward && !slices.Contains(there, name) {
				continue // it is new
			}
			for i, text := range messages(t, from, c.Input.Message, convert.JSON) {
				text = toMe(t, text, c.Input.Message, i)
				answer := p.ask(fmt.Appendf(nil, "publish %s %s %s %s", p.names[from.file()], name, base64.StdEncoding.EncodeToString(text), p.names[to.file()]))
				switch string(answer) {
				case "own=true other=false", "own=false other=true":
					return true
				case "own=true other=true", "own=false other=false":
				default:
					require.Fail(t, "no answer", "%s", answer)
				}
			}
		}
	}
	return false
}

// toMe is a message in which some texts are the id of the instance that receives it.
func toMe(t *testing.T, text []byte, m *model.Message, seed int) []byte {
	t.Helper()
	var fields map[string]any
	require.NoError(t, json.Unmarshal(text, &fields))
	for i, f := range m.Fields {
		if f.Type.Kind == model.KindString && seed>>i&1 == 1 {
			fields[f.Wire] = "me"
		}
	}
	text, err := json.Marshal(fields)
	require.NoError(t, err)
	return text
}
