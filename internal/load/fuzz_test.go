package load

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/model"
)

// FuzzLoad loads mutated schemas: whatever they hold, there is a sound model or
// an error that says where.
func FuzzLoad(f *testing.F) {
	for _, a := range archives(f) {
		for _, file := range a.Files {
			if filepath.Ext(file.Name) == ".proto" {
				f.Add(string(file.Data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := newSources(nil)
		s.read = func(name string) ([]byte, error) {
			if name == "fuzz.proto" {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		}
		c := compilation{sources: s, targets: set([]string{"fuzz.proto"})}
		r, err := c.load(context.Background(), []string{"fuzz.proto"}, GoPackages{})
		var faults Errors
		switch {
		case errors.As(err, &faults):
			for _, fault := range faults {
				if fault.Pos.Path == "" || fault.Message == "" {
					t.Fatalf("fault without a place or a message: %q", fault.Error())
				}
			}
		case err != nil:
			t.Fatal(err)
		default:
			checkModel(t, r.Schema)
		}
	})
}

func archives(t testing.TB) []*txtar.Archive {
	paths, err := filepath.Glob("testdata/*/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	var all []*txtar.Archive
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		require.NoError(t, err)
		all = append(all, a)
	}
	return all
}

// fataler is what *testing.T and *rapid.T have in common.
type fataler interface {
	Fatalf(format string, args ...any)
}

// checkModel checks what generators rely on.
func checkModel(t fataler, s *model.Schema) {
	scopes := map[model.GoPackage]map[string]string{}
	known := map[*model.File]bool{}
	for _, f := range s.Files {
		names := scopes[f.Go]
		if names == nil {
			names = map[string]string{}
			scopes[f.Go] = names
		}
		known[f] = true
		declare := func(name, what string) { declared(t, names, name, what) }
		for _, e := range f.Enums {
			declare(e.Go, e.Name)
			wire := map[string]string{}
			for _, v := range e.Values {
				declare(v.Go, e.Name+"."+v.Name)
				unique(t, wire, v.Wire, v.Name)
				for _, a := range v.Aliases {
					unique(t, wire, a, v.Name)
				}
			}
		}
		for _, m := range f.Messages {
			declare(m.Go, m.Name)
			for _, o := range m.Oneofs {
				declare(o.Interface, m.Name+"."+o.Name)
				for _, member := range o.Fields {
					declare(member.Go, m.Name+"."+member.Field.Name)
				}
			}
			checkFields(t, known, m)
		}
		for _, v := range f.Services {
			methods := map[string]string{}
			for _, c := range v.Callbacks {
				declared(t, methods, "Handle"+c.Go, v.Name+"."+c.Name)
				declare(c.Func, v.Name+"."+c.Name)
				if c.Topic != nil {
					declare(c.Topic.Const, v.Name+"."+c.Name)
				}
			}
		}
	}
}

func checkFields(t fataler, known map[*model.File]bool, m *model.Message) {
	names, wire := map[string]string{}, map[string]string{}
	for _, o := range m.Oneofs {
		declared(t, names, o.Go, o.Name)
	}
	for _, f := range m.Fields {
		if f.Oneof == nil {
			declared(t, names, f.Go, f.Name)
		}
		unique(t, wire, f.Wire, f.Name)
		for _, a := range f.Aliases {
			unique(t, wire, a, f.Name)
		}
		switch {
		case reserved(f.Go), !token.IsIdentifier(f.Go), !token.IsExported(f.Go):
			t.Fatalf("%s.%s: the Go name %q can't be a field", m.Name, f.Name, f.Go)
		case f.Type.Kind == 0, (f.Type.Kind == model.KindMessage) != (f.Type.Message != nil), (f.Type.Kind == model.KindEnum) != (f.Type.Enum != nil):
			t.Fatalf("%s.%s: half a type: %+v", m.Name, f.Name, f.Type)
		case f.Type.Message != nil && !known[f.Type.Message.File], f.Type.Enum != nil && !known[f.Type.Enum.File]:
			t.Fatalf("%s.%s: its type's file is not before its own", m.Name, f.Name)
		case f.Card == model.Mapped && f.Key == 0:
			t.Fatalf("%s.%s: a map without a type of keys", m.Name, f.Name)
		case f.Default != "" && !json.Valid([]byte(f.Default)):
			t.Fatalf("%s.%s: the default %s is not JSON", m.Name, f.Name, f.Default)
		}
	}
}

func declared(t fataler, names map[string]string, name, what string) {
	if !token.IsIdentifier(name) || !token.IsExported(name) {
		t.Fatalf("%s: %q is no exported Go name", what, name)
	}
	unique(t, names, name, what)
}

func unique(t fataler, names map[string]string, name, what string) {
	if other, ok := names[name]; ok || name == "" {
		t.Fatalf("%s", fmt.Sprintf("%s and %s are both %q", other, what, name))
	}
	names[name] = what
}
