package scaffold

import (
	"bytes"
	"cmp"
	"fmt"
	"go/format"
	"strings"
	"unicode"

	"github.com/coordgen/coordgen/internal/godoc"
	"github.com/coordgen/coordgen/internal/model"
)

// create adds a new handler to the result.
func (p *planner) create(s *model.Service, name string) error {
	i := newImports(p.options.ImportPath, append(sortedKeys(p.code.decls), "ctx", "m", "r", "log")...)
	own := func(element string) string { return i.qualify(p.path(s.File.Go), s.File.Go.Name, element) }
	data := handlerData{
		File: snake(name), Package: cmp.Or(p.code.name, p.options.Package, p.options.Fallback), Type: name, Service: s.Go,
		Logger: i.qualify("log/slog", "slog", "Logger"), DefaultLogger: i.qualify("log/slog", "slog", "Default"),
	}
	for _, c := range s.Fed() {
		data.Methods = append(data.Methods, p.method(i, s, c, "r *"+name, "m"))
	}
	data.Interface, data.Bind = own(s.Handler()), own("Bind"+s.Go)
	data.Imports = i.groups()
	files, err := Render("handler", data)
	if err != nil {
		return err
	}
	p.result.Files = append(p.result.Files, files...)
	p.code.decls[name], p.code.decls["New"+name] = decl{}, decl{}
	return nil
}

// handlerData is what the templates of a handler are executed with. Names of
// other packages are qualified.
type handlerData struct {
	File                  string
	Package               string
	Imports               [][]string
	Type                  string
	Service               string
	Interface, Bind       string
	Logger, DefaultLogger string
	Methods               []methodData
}

// methodData is what the template of a handler's method is executed with.
type methodData struct {
	Doc            []string
	Receiver       string
	Name           string
	Context        string
	Param, Message string
	Unhandled      string
	Topic          string
}

// method returns the data of the method for a callback.
func (p *planner) method(i *imports, s *model.Service, c *model.Callback, receiver, param string) methodData {
	in := c.Input.Message
	// What Go and coordgen call their packages comes before what users do.
	d := methodData{
		Receiver: receiver, Name: c.Handle(), Param: param,
		Context:   i.qualify("context", "context", "Context"),
		Unhandled: i.qualify("github.com/coordgen/coordgen/runtime/bus", "bus", "Unhandled"),
		Topic:     i.qualify(p.path(s.File.Go), s.File.Go.Name, c.Topic.Const),
		Message:   i.qualify(p.path(in.File.Go), in.File.Go.Name, in.Go),
	}
	intro := fmt.Sprintf("%s takes the messages of [%s].", d.Name, d.Topic)
	if f := c.Topic.AddressedBy; f != nil {
		intro = fmt.Sprintf("%s takes the messages of [%s] whose %s is this instance.", d.Name, d.Topic, f.Go)
	}
	d.Doc = godoc.Lines(intro, c.Doc)
	return d
}

// text is the Go code of methods.
func text(methods []methodData) ([]byte, error) {
	all, err := parse("handler")
	if err != nil {
		return nil, err
	}
	// Of what is no whole file, gofmt's own rule for comments is another.
	const clause = "package p\n"
	b := bytes.NewBufferString(clause)
	for _, m := range methods {
		b.WriteByte('\n')
		if err := all.ExecuteTemplate(b, "method", m); err != nil {
			return nil, err
		}
	}
	formatted, err := format.Source(b.Bytes())
	return bytes.TrimPrefix(formatted, []byte(clause+"\n")), err
}

// snake is the name of a file for a type.
func snake(name string) string {
	var b strings.Builder
	letters := []rune(name)
	for i, r := range letters {
		if i > 0 && unicode.IsUpper(r) && letters[i-1] != '_' &&
			(!unicode.IsUpper(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
