// Package gogen prints a schema's Go code. It decides no names, which are the
// model's, and holds no logic that the runtime could hold: what it prints is
// short and calls package wire, bus and coord.
package gogen

import (
	"bytes"
	"fmt"
	"go/types"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/dave/jennifer/jen"
	"golang.org/x/sync/errgroup"

	"github.com/coordgen/coordgen/internal/layout"
	"github.com/coordgen/coordgen/internal/model"
)

// The import paths of what generated code calls.
const (
	module       = "github.com/coordgen/coordgen"
	wirePath     = module + "/runtime/wire"
	busPath      = module + "/runtime/bus"
	coordPath    = module + "/runtime/coord"
	callbackPath = module + "/runtime/callback"
	vectorPath   = module + "/runtime/vector/vectortest"
	msgpackPath  = "github.com/vmihailenco/msgpack/v5"
)

// Codecs are the names of the codecs that can be generated.
func Codecs() []string { return []string{"json", "msgpack", "proto"} }

// Options say what to print.
type Options struct {
	// Codecs are the codecs to print, by the names that [Codecs] returns. None
	// means all.
	Codecs []string
	// Version is coordgen's version, for the files' [Header].
	Version string
	// Progress is told how many of the files that there may be are printed, if it
	// is set. It may be called from several goroutines at once.
	Progress func(done, total int)
}

// A File is a printed file.
type File struct {
	// Package is where the file belongs.
	Package model.GoPackage
	// Name is the file's base name, such as "coordination_json.gen.go".
	Name string
	// Content is the file's text, as gofmt leaves it.
	Content []byte
}

// A concern is one kind of generated file.
type concern struct {
	name  string // the last part of the file's name
	codec string // the codec it belongs to, or ""
	print func(*printer)
}

func concerns() []concern {
	return []concern{
		{name: "types", print: (*printer).types},
		{name: "methods", print: (*printer).methods},
		{name: "json", codec: "json", print: func(p *printer) { p.codec(&jsonCodec{deepSet: p.deep}) }},
		{name: "msgpack", codec: "msgpack", print: func(p *printer) { p.codec(msgpackCodec{p.deep}) }},
		{name: "proto", codec: "proto", print: (*printer).proto},
		{name: "topics", print: (*printer).topics},
		{name: "coordinator", print: (*printer).coordinators},
	}
}

// Generate prints the code of the schema's target files. A file has one output
// for each concern that it has anything to say on; the order of the result is
// that of the schema.
func Generate(s *model.Schema, o Options) ([]File, error) {
	for _, c := range o.Codecs {
		if !slices.Contains(Codecs(), c) {
			return nil, fmt.Errorf("unknown codec %q; the codecs are %s", c, strings.Join(Codecs(), ", "))
		}
	}
	return printAll(jobs(s, o), o)
}

// A job is one file to print.
type job struct {
	file *model.File
	concern
	deep deepSet
}

// jobs are the files that the schema may have, in order.
func jobs(s *model.Schema, o Options) []job {
	deep := deepMessages(s)
	var all []job
	for _, f := range s.Files {
		if !f.Target {
			continue
		}
		for _, c := range concerns() {
			if c.codec == "" || len(o.Codecs) == 0 || slices.Contains(o.Codecs, c.codec) {
				all = append(all, job{f, c, deep})
			}
		}
	}
	return all
}

// printAll does the jobs, several at once, and returns the files of those that
// had anything to print.
func printAll(jobs []job, o Options) ([]File, error) {
	printed := make([]File, len(jobs))
	var done atomic.Int64
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, j := range jobs {
		group.Go(func() (err error) {
			printed[i], err = j.print(o.Version)
			if n := done.Add(1); o.Progress != nil {
				o.Progress(int(n), len(jobs))
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(printed, func(f File) bool { return f.Content == nil }), nil
}

// print returns the file, without content where there is nothing to print. A panic
// would end the program, since nobody can recover that of another goroutine.
func (j job) print(version string) (_ File, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: print %s: the generator breaks on it, please report that: %v", j.file.Path, j.name, p)
		}
	}()
	p := &printer{file: j.file, deep: j.deep, out: jen.NewFilePathName(j.file.Go.Path, j.file.Go.Name)}
	if j.name == guarded(j.file) {
		p.guard()
	}
	j.concern.print(p)
	if !p.printed {
		return File{}, nil
	}
	content, err := p.render(version)
	if err != nil {
		return File{}, fmt.Errorf("%s: print %s: %w", j.file.Path, j.name, err)
	}
	return File{Package: j.file.Go, Name: j.file.Base() + "_" + j.name + ".gen.go", Content: content}, nil
}

// A printer prints one concern of one file.
type printer struct {
	file    *model.File
	deep    deepSet
	out     *jen.File
	printed bool
}

// add puts declarations at the end of the file, an empty line before each.
func (p *printer) add(doc []string, code ...jen.Code) {
	p.printed = true
	p.out.Line()
	for _, line := range commented(doc, code...) {
		p.out.Add(line)
	}
}

// commented puts comment lines before code. An empty one is an empty line.
func commented(lines []string, code ...jen.Code) []jen.Code {
	all := make([]jen.Code, 0, len(lines)+len(code))
	for _, line := range lines {
		if line == "" {
			all = append(all, jen.Empty())
		} else {
			all = append(all, jen.Comment(line))
		}
	}
	return append(all, code...)
}

// imports gives the packages of other schemas an alias where their own name would
// be hidden by a local variable or a package that all generated code uses, or has a
// capital, as what generated code declares in its package has.
func (p *printer) imports() {
	for path, name := range map[string]string{
		wirePath: "wire", busPath: "bus", coordPath: "coord", callbackPath: "callback", msgpackPath: "msgpack",
		vectorPath: "vectortest",
	} {
		p.out.ImportName(path, name)
	}
	hidden := []string{
		"m", "b", "w", "r", "o", "l", "e", "n", "i", "v", "c", "p", "f", "h", "s", "a", "d",
		"data", "key", "value", "ctx", "core", "err", "leaving", "intent", "format", "unbind",
		"start", "at", "again", "ok",
		"wire", "bus", "coord", "callback", "msgpack", "t", "vectortest", "testing", "time", "math", "context", "slog", "bytes", "maps", "slices",
	}
	for path, name := range p.foreign() {
		small := strings.ToLower(name)
		if slices.Contains(hidden, name) || types.Universe.Lookup(name) != nil || small != name {
			p.out.ImportAlias(path, small+"schema")
		} else {
			p.out.ImportName(path, name)
		}
	}
}

// foreign returns the packages, by path, of the types that the file uses from
// other schemas.
func (p *printer) foreign() map[string]string {
	packages := map[string]string{}
	note := func(t model.Type) {
		switch {
		case t.Message != nil && t.Message.File.Go != p.file.Go:
			packages[t.Message.File.Go.Path] = t.Message.File.Go.Name
		case t.Enum != nil && t.Enum.File.Go != p.file.Go:
			packages[t.Enum.File.Go.Path] = t.Enum.File.Go.Name
		}
	}
	for _, m := range p.file.Messages {
		for _, f := range m.Fields {
			note(f.Type)
		}
	}
	for _, s := range p.file.Services {
		for _, c := range s.Callbacks {
			note(c.Input)
			if c.Input.Message != nil {
				for _, f := range c.Input.Message.Fields {
					note(f.Type)
				}
			}
		}
	}
	return packages
}

func (p *printer) render(version string) ([]byte, error) {
	p.imports()
	p.out.HeaderComment(Header{Coordgen: version, Schema: p.file.Path, Version: p.file.Version}.String())
	p.out.NoFormat = true // since layout is much faster at it
	var b bytes.Buffer
	if err := p.out.Render(&b); err != nil {
		return nil, err
	}
	text, err := layout.Source(b.Bytes())
	return groupImports(text), err
}

// groupImports puts the standard library's packages before the others, which
// jennifer sorts as one.
func groupImports(src []byte) []byte {
	open, end := []byte("import (\n"), []byte(")\n")
	at := bytes.Index(src, open)
	if at < 0 {
		return src
	}
	at += len(open)
	size := bytes.Index(src[at:], end)
	var std, others []byte
	for line := range bytes.Lines(src[at : at+size]) {
		if bytes.Contains(line, []byte(".")) {
			others = append(others, line...)
		} else {
			std = append(std, line...)
		}
	}
	if len(std) > 0 && len(others) > 0 {
		std = append(std, '\n')
	}
	return slices.Concat(src[:at], std, others, src[at+size:])
}
