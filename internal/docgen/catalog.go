package docgen

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/coordgen/coordgen/internal/model"
)

// A catalog is what a document is about: the target files first, then those
// that they use.
type catalog struct {
	sections []*section
}

// A section is what a document says of one file: all of a target, and of another
// what targets use.
type section struct {
	file     *model.File
	codecs   []string
	messages []*model.Message
	enums    []*model.Enum
	services []*model.Service
}

// newCatalog brings the parts together. Elements are known by their names, since
// each part has its own model of a file that several use.
func newCatalog(parts []Part) (*catalog, error) {
	c := &catalog{}
	known := map[string]*section{} // by the place of the file
	for _, p := range parts {
		for _, f := range p.Schema.Files {
			s, ok := known[place(f)]
			switch {
			case !ok:
				s = &section{file: f}
				known[place(f)] = s
				c.sections = append(c.sections, s)
			case f.Target:
				s.file = f
			}
			if f.Target {
				s.addCodecs(p.Codecs)
			}
		}
	}
	if err := c.unique(); err != nil {
		return nil, err
	}
	targets := func(s *section) int {
		if s.file.Target {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(c.sections, func(a, b *section) int { return cmp.Compare(targets(a), targets(b)) })
	if len(c.sections) == 0 || !c.sections[0].file.Target {
		return nil, errors.New("no schema to document")
	}
	c.fill()
	return c, nil
}

// place tells files apart that two parts know by the same import path.
func place(f *model.File) string {
	for name, at := range declarations(f) {
		return fmt.Sprintf("%s %s", name, at.Path)
	}
	return f.Path
}

func (s *section) addCodecs(codecs []string) {
	for _, c := range codecs {
		if !slices.Contains(s.codecs, c) {
			s.codecs = append(s.codecs, c)
		}
	}
}

// declarations yields the full names that a file declares.
func declarations(f *model.File) func(yield func(string, model.Pos) bool) {
	return func(yield func(string, model.Pos) bool) {
		for _, m := range f.Messages {
			if !yield(m.Name, m.Pos) {
				return
			}
		}
		for _, e := range f.Enums {
			if !yield(e.Name, e.Pos) {
				return
			}
		}
		for _, s := range f.Services {
			if !yield(fullName(s), s.Pos) {
				return
			}
		}
	}
}

// A ClashError says that two files declare the same name, so that one document
// can't hold both.
type ClashError struct {
	Name      string
	At, Other model.Pos
}

// Error says what is declared twice and what to do about it.
func (e *ClashError) Error() string {
	return fmt.Sprintf("%q is declared at %s:%d:%d too, and one document can't hold both; document the two apart",
		e.Name, e.Other.Path, e.Other.Line, e.Other.Col)
}

// unique checks that no two files declare the same name. Within a part the
// loader has seen to it.
func (c *catalog) unique() error {
	declared := map[string]model.Pos{}
	for _, s := range c.sections {
		for name, at := range declarations(s.file) {
			if other, ok := declared[name]; ok {
				return &ClashError{Name: name, At: at, Other: other}
			}
			declared[name] = at
		}
	}
	return nil
}

// fill puts the elements into their sections.
func (c *catalog) fill() {
	used := map[string]bool{}
	var use func(model.Type)
	useFields := func(m *model.Message) {
		for _, f := range m.Fields {
			use(f.Type)
		}
	}
	use = func(t model.Type) {
		switch {
		case t.Enum != nil:
			used[t.Enum.Name] = true
		case t.Message != nil && !used[t.Message.Name]:
			used[t.Message.Name] = true
			useFields(t.Message)
		}
	}
	for _, s := range c.sections {
		if !s.file.Target {
			continue
		}
		s.services = s.file.Services
		for _, m := range s.file.Messages {
			used[m.Name] = true
			useFields(m)
		}
		for _, service := range s.services {
			for _, callback := range service.Callbacks {
				use(callback.Input)
			}
		}
	}
	for _, s := range c.sections {
		for _, m := range s.file.Messages {
			if used[m.Name] {
				s.messages = append(s.messages, m)
			}
		}
		for _, e := range s.file.Enums {
			if s.file.Target || used[e.Name] {
				s.enums = append(s.enums, e)
			}
		}
	}
	c.sections = slices.DeleteFunc(c.sections, func(s *section) bool {
		return !s.file.Target && len(s.messages)+len(s.enums) == 0
	})
}
