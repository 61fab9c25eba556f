package scaffold

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/coordgen/coordgen/internal/model"
)

// An Existing is a handler that the folder has.
type Existing struct {
	// Type is the name of the type, Handler that of the interface that it is to
	// be of, as the type's file writes it.
	Type, Handler string
	Pos           model.Pos
	// Findings are the callbacks for which it has no method or one of another
	// signature.
	Findings []Finding
	// Text is the Go code of the methods that it has not, ready to be pasted into
	// the type's file, and Imports the lines that this file then needs in its
	// import declaration.
	Text    []byte
	Imports []string
}

// compare finds what a type lacks to be the handler of a service.
func (p *planner) compare(r resolver, s *model.Service, name string) (Existing, error) {
	d, _ := p.code.userType(name)
	told := newImports(p.options.ImportPath)
	e := Existing{Type: name, Pos: p.code.pos(d.spec.Name.Pos()), Handler: told.qualify(p.path(s.File.Go), s.File.Go.Name, s.Handler())}
	has, whole := r.methods(name), p.embedsWhole(r, s, d)
	var lacking []*model.Callback
	for _, c := range s.Fed() {
		m, ok := has[c.Handle()]
		in := c.Input.Message
		switch {
		case !ok && !whole:
			lacking = append(lacking, c)
			e.Findings = append(e.Findings, Finding{Pos: e.Pos, Message: fmt.Sprintf("%s lacks %s of %s", name, c.Handle(), e.Handler)})
		case ok && !m.file.generated && r.signature(m.file, m.decl.Type) != fmt.Sprintf("func(context.Context, *%s) error", p.resolved(in.File.Go, in.Go)):
			e.Findings = append(e.Findings, Finding{Pos: p.code.pos(m.decl.Name.Pos()), Message: fmt.Sprintf(
				"%s is %s, but %s wants func(ctx context.Context, m *%s) error",
				c.Handle(), types.ExprString(m.decl.Type), e.Handler, told.qualify(p.path(in.File.Go), in.File.Go.Name, in.Go))})
		}
	}
	err := p.mend(&e, r, s, lacking)
	return e, err
}

// mend writes the methods that a handler lacks.
func (p *planner) mend(e *Existing, r resolver, s *model.Service, lacking []*model.Callback) error {
	if len(lacking) == 0 {
		return nil
	}
	d, _ := p.code.userType(e.Type)
	i := newImports(p.options.ImportPath, append(sortedKeys(p.code.decls), "ctx")...)
	for local, path := range r.importsOf(d.file) {
		i.add(path, local)
	}
	receiver := p.receiver(e.Type, i)
	param := "m"
	for i.taken[param] {
		param += "sg"
	}
	i.taken[param] = true
	methods := make([]methodData, len(lacking))
	for n, c := range lacking {
		methods[n] = p.method(i, s, c, receiver, param)
	}
	e.Imports = slices.Concat(i.groups()...)
	var err error
	e.Text, err = text(methods)
	return err
}

// embedsWhole says whether a type embeds something that has all methods of the
// service's handler, the handler itself or what is generated to be one.
func (p *planner) embedsWhole(r resolver, s *model.Service, d decl) bool {
	names := []string{s.Handler(), s.Go + "Callbacks"}
	if s.Coordinator != nil {
		names = []string{s.Handler(), "Coordinator"}
	}
	return slices.ContainsFunc(r.embedded(d.file, d.spec), func(embedded string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return embedded == p.resolved(s.File.Go, name) })
	})
}

// receiver is how the methods of a type declare their receiver. Its name is taken
// then.
func (p *planner) receiver(of string, i *imports) string {
	name, typ := "", "*"+of
	methods := p.code.methods(of)
	for _, key := range sortedKeys(methods) {
		field := methods[key].decl.Recv.List[0]
		typ = types.ExprString(field.Type)
		if len(field.Names) == 1 && field.Names[0].Name != "_" && !i.taken[field.Names[0].Name] {
			name = field.Names[0].Name
			break
		}
	}
	if name == "" {
		first, _ := utf8.DecodeRuneInString(strings.ToLower(of))
		name = string(first)
	}
	for i.taken[name] {
		name += "r"
	}
	i.taken[name] = true
	return name + " " + typ
}
