package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/coordgen/coordgen/internal/compat"
	"github.com/coordgen/coordgen/internal/gogen"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/lock"
	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/internal/vectors"
	"github.com/coordgen/coordgen/internal/version"
	"github.com/coordgen/coordgen/runtime/vector"
	"github.com/coordgen/coordgen/runtime/wire"
)

// A chronicle makes the vectors of one file and their test.
type chronicle struct {
	*vectorsProduct

	result *load.Result
	file   *model.File
	// home is the folder of the file's code, and folder that of its vectors.
	home, folder string
	codecs       []string
	formats      []wire.Format
	// made are the names of all files of vectors, and reads what the test does with
	// them.
	made  map[string]bool
	reads []gogen.VectorFile
}

func newChronicle(p *vectorsProduct, r *load.Result, file *model.File, home string, codecs []string) *chronicle {
	c := &chronicle{vectorsProduct: p, result: r, file: file, home: home, codecs: codecs, made: map[string]bool{}}
	c.folder = filepath.Join(home, filepath.FromSlash(vectors.Folder(file)))
	for _, format := range []wire.Format{wire.JSON, wire.Msgpack, wire.Proto} {
		if len(codecs) == 0 || slices.Contains(codecs, format.String()) {
			c.formats = append(c.formats, format)
		}
	}
	return c
}

// write finds what is to be done so that the file has its vectors and their test.
func (c *chronicle) write(ctx context.Context) error {
	c.outdated()
	older, err := c.older(ctx)
	if err != nil {
		return err
	}
	for i, old := range older {
		findings := c.findings(older[i:]) // of later ones too, which may have had what is gone
		for _, v := range vectors.Of(old, c.formats) {
			if err := c.keep(v, findings); err != nil {
				return err
			}
		}
	}
	for _, v := range vectors.Of(c.file, c.formats) {
		if len(v.File.Samples) == 0 {
			c.lack(v)
			continue
		}
		if err := c.compare(v.Name, v.File.Format()); err != nil {
			return err
		}
		c.reads = append(c.reads, gogen.VectorFile{Name: v.Name, Message: v.Message, Current: true})
	}
	if err := c.leftovers(c.made); err != nil {
		return err
	}
	return c.test()
}

// outdated warns of code that was generated for another version than the file's.
func (c *chronicle) outdated() {
	path := filepath.Join(c.home, c.file.Base()+"_types.gen.go")
	code, err := readGenerated(path)
	if err != nil {
		return // where it is, nobody can tell from here
	}
	if h, ours := gogen.ParseHeader(code); ours && h.Version != c.file.Version {
		c.warn("the code in %s is of version %d, which fails the test of version %d; run \"coordgen generate\"", path, h.Version, c.file.Version)
	}
}

// older are the versions on record before the file's own.
func (c *chronicle) older(ctx context.Context) ([]*model.File, error) {
	l := c.result.Locks[c.file.Path]
	switch {
	case l == nil || l.Latest() == 0:
		if c.file.OnDisk {
			c.warn("the schema has no lock, so that there are vectors of its current version only; \"coordgen lock\" records versions")
		}
		return nil, nil
	case c.file.Version < l.Latest():
		return nil, c.fault("the schema is at version %d, and %s has version %d on record; raise (coordgen.schema).version", c.file.Version, l.Path, l.Latest())
	}
	if other := wasOther(c.result, l, c.file); len(other) > 0 {
		return nil, c.fault("version %d is on record and was another; %sraise (coordgen.schema).version, or, if version %[1]d is not out yet, record it anew with \"coordgen lock --amend\"", c.file.Version, lock.Doubt(other))
	}
	if c.file.Version > l.Latest() {
		c.warn("version %d is not on record; when it goes out, run \"coordgen lock\", or its vectors can't be made again", c.file.Version)
	}
	// What a version used of protobuf's own, the schema may use no more.
	protobufs, err := load.Load(ctx, load.Options{Files: load.WellKnown()})
	if err != nil {
		return nil, err
	}
	var older []*model.File
	for _, old := range restored(l, c.file.Path, lock.Among{Schema: c.result.Schema, Locks: c.result.Locks}) {
		if old.Version == c.file.Version {
			continue
		}
		for _, field := range vectors.Settle(old, slices.Concat(protobufs.Schema.Files, c.result.Schema.Files)) {
			c.warn("the vectors of version %d lack field %q, since no lock has its type", old.Version, field)
		}
		older = append(older, old)
	}
	return older, nil
}

// lack tells that there are no vectors of a message.
func (c *chronicle) lack(v vectors.Vector) {
	c.warn("there are no vectors of message %q at version %d, since none can be made: it requires itself, too much, or what nobody knows any more", v.Message.Name, v.File.Version)
}

func (c *chronicle) warn(format string, args ...any) {
	c.warnings = append(c.warnings, load.Diagnostic{Pos: c.file.Pos, Message: fmt.Sprintf(format, args...)})
}

func (c *chronicle) fault(format string, args ...any) error {
	return load.Errors{{Pos: c.file.Pos, Message: fmt.Sprintf(format, args...)}}
}

// findings are what check has to say about these versions.
func (c *chronicle) findings(versions []*model.File) []compat.Finding {
	return compat.Check([]compat.History{{Versions: versions}}, c.result.Schema, compat.Options{Mode: compat.FullTransitive, Codecs: compat.CodecsOf(c.codecs)}).Findings
}

// compare finds what is to be done so that a file of vectors has the content.
func (c *chronicle) compare(name string, content []byte) error {
	path := filepath.Join(c.folder, filepath.FromSlash(name))
	c.made[path] = true
	is, err := compareFile(path, content)
	if err == nil && is.inTheWay(vector.Made(is.old)) {
		err = inTheWay(path)
	}
	c.changes = append(c.changes, is)
	return err
}

// keep does the same for one of an older version, which is written once, and says what
// the test does with it.
func (c *chronicle) keep(v vectors.Vector, findings []compat.Finding) error {
	if len(v.File.Samples) == 0 && !isFile(filepath.Join(c.folder, filepath.FromSlash(v.Name))) {
		c.lack(v)
		return nil
	}
	if err := c.compare(v.Name, v.File.Format()); err != nil {
		return err
	}
	kept := &c.changes[len(c.changes)-1]
	samples := v.File.Samples
	if kept.state == changed {
		kept.state = same
		pos := model.Pos{Path: kept.path}
		was, err := vector.Parse(kept.old)
		switch {
		case err != nil || !vector.Intact(kept.old):
			c.history = append(c.history, load.Diagnostic{Pos: pos, Message: "the file is not as it was made; take it from the version control, or delete it to have it made anew from the lock"})
		case len(samples) == 0: // it could be made then
		case !v.Alike(was):
			c.notes = append(c.notes, load.Diagnostic{Pos: pos, Message: "kept, since it is history, although it would be made otherwise today"})
		}
		samples = was
	}
	c.read(v, samples, findings)
	return nil
}

// read says what the test does with the samples of an older version.
func (c *chronicle) read(v vectors.Vector, samples []vector.Sample, findings []compat.Finding) {
	file := gogen.VectorFile{Name: v.Name}
	for _, f := range c.result.Schema.Files {
		for _, m := range f.Messages {
			if m.Name == v.Message.Name {
				file.Message = m
			}
		}
	}
	if file.Message == nil {
		file.Remark = "not read, since the schema has no message " + v.Message.Name + " any more." + waived(findings, func(f compat.Finding) bool {
			return f.Element == v.Message.Name || f.Rule == compat.TopicRemoved && slices.Contains(v.Topics, f.Element)
		})
		c.reads = append(c.reads, file)
		return
	}
	r := vectors.Read(v.Message, file.Message, samples, c.formats, findings)
	if len(r.Lost) > 0 {
		c.warn("%s of version %d is not read as it was written (%s in %s), so that its test fails; \"coordgen check --mode full-transitive\" says why, and a waiver leaves out what can't be mended",
			v.Message.Name, v.File.Version, strings.Join(r.Lost[:min(3, len(r.Lost))], ", "), v.Name)
	}
	if file.Except = r.Except; r.Except != nil {
		file.Remark = "not all is read." + waived(r.Waivers, func(compat.Finding) bool { return true })
	}
	c.reads = append(c.reads, file)
}

// waived says which of the findings are waived, and why.
func waived(findings []compat.Finding, about func(compat.Finding) bool) string {
	var all []string
	for _, f := range findings {
		if f.Waived != "" && about(f) {
			all = append(all, fmt.Sprintf(" %s of %q is waived: %s.", f.Rule, f.Element, strings.TrimSuffix(f.Waived, ".")))
		}
	}
	return strings.Join(slices.Compact(all), "")
}

// test finds what is to be done so that the test reads the vectors.
func (c *chronicle) test() error {
	printed, err := gogen.VectorsTest(c.file, vectors.Folder(c.file), c.reads, gogen.Options{Codecs: c.codecs, Version: version.Current()})
	if err != nil {
		return err
	}
	path := filepath.Join(c.home, printed.Name)
	t, err := compareFile(path, printed.Content)
	if err != nil {
		return err
	}
	_, ours := gogen.ParseHeader(t.old)
	switch {
	case len(c.reads) > 0 && t.inTheWay(ours):
		return inTheWay(path)
	case len(c.reads) > 0:
		c.changes = append(c.changes, t)
	case ours: // there is nothing left that it could read
		c.changes = append(c.changes, change{path: path, state: stale, old: t.old})
	default:
		c.warn("the schema has no messages, and so no vectors")
	}
	return nil
}
