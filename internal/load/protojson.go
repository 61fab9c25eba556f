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
	case m != nil && m.Name == "google.protobuf.Any":
		b.warnf(f.d, f.Pos, but+"which needs a registry of types for it; its JSON is that of its two fields", what(f.d), "the type "+m.Name)
	case m != nil && !m.File.Protojson && !sameInAnyForm(m):
		b.warnf(f.d, f.Pos, but+"and that of %s is not; give that file the option too", what(f.d), "the type "+m.Name, b.shown(m.File.Path))
	case e != nil && !e.File.Protojson:
		b.warnf(f.d, f.Pos, but+"and that of %s is not; give that file the option too", what(f.d), "the type "+e.Name, b.shown(e.File.Path))
	}
}

// sameInAnyForm says whether the message's JSON is the same in any form.
func sameInAnyForm(m *model.Message) bool {
	return m.Name == "google.protobuf.Empty" || m.Name == "google.protobuf.FieldMask"
}
