package scaffold

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coordgen/coordgen/internal/model"
)

// HandlerOptions say where handlers are to live.
type HandlerOptions struct {
	// Folder is the folder of the handlers, ImportPath its import path, or "" if
	// it lies in no module.
	Folder, ImportPath string
	// Package is the name of the package there. It is needed only where the
	// folder holds the files of several. "" means the one that is there, or else
	// Fallback.
	Package, Fallback string
	// Import is the import path of the generated package. "" means that of
	// go_package.
	Import string
	// Generated are the files that are generated for the services' packages. They
	// need not be on disk.
	Generated []Generated
}

// Generated is a generated file.
type Generated struct {
	Package model.GoPackage
	Name    string
	Content []byte
}

// Handlers are what there is to do about the handlers of some services.
type Handlers struct {
	// Files are new handlers. The folder may have files of these names.
	Files []File
	// Existing are the handlers that the folder has.
	Existing []Existing
	// Unseen are places behind which the code in the folder could not be parsed.
	Unseen []Finding
}

// PlanHandlers finds, for each of the services, which have topics, the types in
// the folder that handle its messages, and what they lack. A service that has
// none gets a new file.
func PlanHandlers(services []*model.Service, o HandlerOptions) (*Handlers, error) {
	c, err := readCode(o.Folder, o.Package, nil)
	if err != nil {
		return nil, err
	}
	p := &planner{options: o, code: c, result: &Handlers{}}
	if err := p.place(services); err != nil {
		return nil, err
	}
	for _, s := range services {
		if err := p.service(s); err != nil {
			return nil, err
		}
	}
	p.result.Unseen = p.code.broken
	return p.result, nil
}

// A planner plans the handlers of one folder.
type planner struct {
	options HandlerOptions
	code    *code
	// paths are the import paths of packages, where they are not what go_package
	// says. That of the folder's own package is options.ImportPath.
	paths  map[model.GoPackage]string
	result *Handlers
}

// place decides which packages the code of the services has, and reads the folder
// anew if it is one of them.
func (p *planner) place(services []*model.Service) error {
	p.paths = map[model.GoPackage]string{}
	own := map[model.GoPackage]bool{}
	for _, s := range services {
		g := s.File.Go
		handler, declared := p.code.decls[s.Handler()]
		switch i := p.options.Import; {
		case i != "" && i != p.options.ImportPath:
			p.paths[g] = i
		case i != "", g.Path == "", g.Path == p.options.ImportPath, declared && handler.file.generated:
			p.paths[g] = p.options.ImportPath
			own[g] = true
		default:
			p.paths[g] = g.Path
		}
		if !own[g] && g.Name == "main" {
			return fmt.Errorf("the generated package %q is a main package, which no other can import; scaffold into its own folder", g.Path)
		}
	}
	if p.options.Import != "" && len(p.paths) > 1 {
		return fmt.Errorf("the schemas are of %d Go packages, and --import is the path of one; name fewer schemas, or leave it out", len(p.paths))
	}
	generated := map[string][]byte{}
	for _, g := range p.options.Generated {
		if !own[g.Package] {
			continue
		}
		generated[g.Name] = g.Content
		switch name := g.Package.Name; {
		case p.options.Package != "" && p.options.Package != name:
			return fmt.Errorf("the generated code of %s is of package %q, and so are its handlers, not of %q", p.options.Folder, name, p.options.Package)
		case p.code.name != "" && p.code.name != name:
			return fmt.Errorf("%s holds the Go package %q, where go_package puts %q; choose another folder, or say with --import where the generated code is",
				p.options.Folder, p.code.name, name)
		}
	}
	if len(own) == 0 {
		return nil
	}
	var err error
	p.code, err = readCode(p.options.Folder, p.options.Package, generated)
	return err
}

// path is the import path of a package as the folder's code has it.
func (p *planner) path(g model.GoPackage) string {
	if path, ok := p.paths[g]; ok {
		return path
	}
	return g.Path
}

// resolved is an element of a package as a resolver writes it.
func (p *planner) resolved(g model.GoPackage, element string) string {
	if path := p.path(g); path != p.options.ImportPath {
		return path + "." + element
	}
	return element
}

// service plans the handler of a service.
func (p *planner) service(s *model.Service) error {
	r := resolver{code: p.code, called: map[string]string{p.path(s.File.Go): s.File.Go.Name}}
	for _, c := range s.Fed() {
		g := c.Input.Message.File.Go
		r.called[p.path(g)] = g.Name
	}
	found, others := p.claimed(r.claims(), s)
	name := s.Go + "Receiver"
	for i := 2; len(found) == 0; i++ {
		switch _, exists := p.code.userType(name); {
		case exists && !others[name]:
			found = []string{name}
		case !p.declared(name) && !p.declared("New"+name):
			return p.create(s, name)
		}
		name = fmt.Sprintf("%sReceiver%d", s.Go, i)
	}
	for _, name := range found {
		e, err := p.compare(r, s, name)
		if err != nil {
			return err
		}
		p.result.Existing = append(p.result.Existing, e)
	}
	return nil
}

// claimed are the types that are to handle the messages of a service, and those
// that handle the messages of one that has the same name in another package.
func (p *planner) claimed(claims []claim, s *model.Service) (found []string, others map[string]bool) {
	others = map[string]bool{}
	for _, c := range claims {
		_, name, qualified := strings.Cut(c.of[strings.LastIndexByte(c.of, '/')+1:], ".")
		if !qualified {
			name = c.of
		}
		switch {
		case strings.TrimPrefix(name, unimplemented) != s.Handler():
		case c.of != p.resolved(s.File.Go, name):
			others[c.typ] = true
		case !slices.Contains(found, c.typ):
			found = append(found, c.typ)
		}
	}
	return found, others
}

func (p *planner) declared(name string) bool {
	_, ok := p.code.decls[name]
	return ok
}
