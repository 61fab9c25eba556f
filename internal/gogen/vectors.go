package gogen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/godoc"
	"github.com/coordgen/coordgen/internal/model"
)

// A VectorFile is a file of vectors that the generated test reads.
type VectorFile struct {
	// Name is that of the file in the folder of the schema's vectors.
	Name string
	// Message is what the file is read as. Nil means that there is nothing that could
	// read it.
	Message *model.Message
	// Current says that the file is of the schema's own version, whose bytes code
	// writes.
	Current bool
	// Except are the payloads that are not read, and Remark says why, as it does where
	// there is no message.
	Except []string
	Remark string
}

// VectorsTest prints the test that reads the vectors of a file's versions, which are in
// the folder.
func VectorsTest(f *model.File, folder string, files []VectorFile, o Options) (File, error) {
	vectors := concern{name: "vectors", print: func(p *printer) { p.vectors(folder, files, o) }}
	printed, err := job{file: f, concern: vectors}.print(o.Version)
	printed.Name = f.Base() + "_vectors_test.go"
	return printed, err
}

func (p *printer) vectors(folder string, files []VectorFile, o Options) {
	var formats []jen.Code
	for i, codec := range Codecs() {
		if len(o.Codecs) == 0 || slices.Contains(o.Codecs, codec) {
			formats = append(formats, jen.Qual(wirePath, []string{"JSON", "Msgpack", "Proto"}[i]))
		}
	}
	body := []jen.Code{jen.Id("h").Op(":=").Qual(vectorPath, "History").Values(multiline([]jen.Code{
		jen.Id("Folder").Op(":").Lit(folder),
		jen.Id("Formats").Op(":").Index().Qual(wirePath, "Format").Values(formats...),
	})...)}
	for _, file := range files {
		if file.Remark != "" {
			for _, line := range godoc.Lines(fmt.Sprintf("%s: %s", file.Name, file.Remark), model.Doc{}) {
				body = append(body, jen.Comment(line))
			}
		}
		if file.Message == nil {
			continue
		}
		arguments := []jen.Code{jen.Id("t"), jen.Id("h"), jen.Lit(file.Name)}
		for _, name := range file.Except {
			arguments = append(arguments, jen.Lit(name))
		}
		do := "Read"
		if file.Current {
			do = "Write"
		}
		body = append(body, jen.Qual(vectorPath, do).Types(goType(model.Type{Kind: model.KindMessage, Message: file.Message})).Call(arguments...))
	}
	name := "TestVectors_" + strings.ReplaceAll(p.file.Base(), "-", "__")
	doc := fmt.Sprintf("%s reads what each version of %s writes, of which %s has samples. Those of version %d are also written, byte for byte.",
		name, p.file.Path, folder, p.file.Version)
	p.add(godoc.Lines(doc, model.Doc{}), jen.Func().Id(name).Params(jen.Id("t").Op("*").Qual("testing", "T")).Block(body...))
}
