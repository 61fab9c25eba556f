package load

import "github.com/coordgen/coordgen/internal/model"

// protojsonField makes a field of a file of protojson's form what it is there, and
// checks that nothing of it has another form.
func (b *builder) protojsonField(f field) {
	x := b.vocabulary.field
	f.Type.Protojson = true
	f.Type.Quoted = f.Type.Kind == model.KindInt64 || f.Type.Kind == model.KindUint64
	const but = "%s has %s, but the file's JSON is protojson's, "
	if f.o.text("name") != "" {
		b.errorf(b.optionPos(f.d, x, "name"), but+"whose keys json_name gives; drop the name, or make it a json_name", what(f.d), "a (coordgen.field).name")
	}
	if !f.Presence && f.o.flag("required") {
		b.errorf(b.optionPos(f.d, x, "required"), but+"which leaves out what is empty or zero; make it optional, or drop required", what(f.d), "(coordgen.field).required")
	}
	if !f.Presence && f.o.text("default") != "" {
		b.errorf(b.optionPos(f.d, x, "default"), but+"which leaves out what is zero; make it optional, or drop the default", what(f.d), "a (coordgen.field).default")
	}
	switch m, e := f.Type.Message, f.Type.Enum; {
	case m != nil && !m.File.Protojson && m.Name != "google.protobuf.Empty" && !f.Type.IsPaths():
		b.otherForm(f, m.Name, m.File)
	case e != nil && !e.File.Protojson && !f.Type.IsNull():
		b.otherForm(f, e.Name, e.File)
	}
}

// keyOption is the option that gives a field of the message its key.
func keyOption(m *message) string {
	if m.File.Protojson {
		return "json_name"
	}
	return "(coordgen.field).name"
}

// textNames makes the names of the fields aliases, but where one is the key of another
// field, which protojson takes it for.
func textNames(m *message, taken map[string]field) {
	for _, f := range m.fields {
		if name := f.d.TextName(); taken[name].Field == nil {
			f.Aliases = []string{name}
			taken[name] = f
		}
	}
}

// otherForm warns of a type whose JSON is not that of the file that uses it.
func (b *builder) otherForm(f field, name string, in *model.File) {
	mend := "give " + b.shown(in.Path) + " the option too"
	if in.Proto == "google.protobuf" {
		mend = "leave the field out where JSON has to be protojson's"
	}
	b.warnf(f.d, f.Pos, "%s has the type %s, whose JSON is coordgen's, where that of the file is protojson's; %s", what(f.d), name, mend)
}
