package scaffold

// A Project is a package that publishes and receives events, to begin with.
type Project struct {
	// Package is the package's name, ImportPath its import path.
	Package, ImportPath string
	// Schema is the name of the schema's file, without ".proto".
	Schema string
}

// Files returns the project's files: a schema and the configuration of its
// generation, a handler with its test, and an example. They compile once the
// schema's code is generated beside them.
func (p Project) Files() ([]File, error) {
	i := newImports("", "context", "fmt", "log", "bus", "wire", "ctx", "b", "done", "callbacks", "m", "unbind", "err", "publisher")
	name := i.local(p.ImportPath, p.Package)
	return Render("project", struct {
		Project
		ExampleName, ExampleImport string
	}{p, name, i.lines[p.ImportPath]})
}
