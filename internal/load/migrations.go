package load

import (
	"cmp"
	"slices"
	"strings"

	"github.com/coordgen/coordgen/internal/model"
)

// migrations reads the migrations of a message. The names of its fields' roles are known.
func (b *builder) migrations(m *message) {
	x := b.vocabulary.message
	o, err := x.of(m.d)
	if err != nil {
		return // reported with the roles
	}
	stamp := m.Field(model.SchemaVersion)
	var demanded *model.Field // the one that came last
	for _, f := range m.Fields {
		if f.Required && (demanded == nil || f.Since > demanded.Since) {
			demanded = f
		}
	}
	for i, part := range o.messages("migrations") {
		number := x.message.Fields().ByName("migrations").Number()
		p := b.partPos(m.d, optionsField(m.d), int32(x.number), int32(number), int32(i))
		name, version := part.text("name"), part.number("version")
		end := goName(spaced(name))
		migration := model.Migration{
			Name: name, Version: version, Reversible: part.flag("reversible"), Migrate: "migrate" + m.Go + end, Revert: "revert" + m.Go + end,
		}
		switch {
		case name == "" || !isLetter(rune(name[0])) || strings.ContainsFunc(name, func(r rune) bool { return !isLetter(r) && !isDigit(r) && r != '_' }):
			b.errorf(p, "a migration of %s is named %q; name it as what changed, in letters, digits and underscores", what(m.d), name)
			continue
		case m.File.Version < 2:
			b.errorf(p, "migration %q of %s makes messages of an older version those of version 2 or later, and the schema is at version 1; raise (coordgen.schema).version", name, what(m.d))
			continue
		case version < 2 || version > m.File.Version:
			b.errorf(p, "migration %q of %s is for version %d; say the version that made the change, from 2 to the schema's, %d", name, what(m.d), version, m.File.Version)
			continue
		case m.Role != model.NoRole:
			b.errorf(p, "%s has a migration and role %s; what coordinators exchange can't be migrated, so make it another message", what(m.d), b.messageRoleName(m.Role))
			continue
		case stamp == nil || !stamp.Stamp:
			b.errorf(p, "%s has a migration, but nothing says which version wrote a message; add a field such as `uint32 schema_version = 99 [(coordgen.field) = { since: %d, role: SCHEMA_VERSION }]`", what(m.d), version)
			continue
		case stamp.Since > version || stamp.Until != 0:
			b.errorf(p, "migration %q of %s is for version %d, of which messages don't say their version: field %q is there since version %d; let it be there from version %d on",
				name, what(m.d), version, stamp.Name, stamp.Since, version)
			continue
		}
		if demanded != nil && demanded.Since >= version {
			b.errorf(p, "migration %q of %s is for version %d, but is never called: a message without field %q, which is there since version %d and required, is refused before it is migrated; drop required",
				name, what(m.d), version, demanded.Name, demanded.Since)
			continue
		}
		me := claimant{what: "migration " + quoted(name) + " of " + what(m.d), pos: p}
		if _, other, ok := b.scopes[m.File.Go].claim(me, migration.Migrate); !ok {
			b.errorf(p, "%s is the function %q, as is %s; give one of them another name", me.what, migration.Migrate, other)
			continue
		}
		m.Migrations = append(m.Migrations, migration)
	}
	slices.SortStableFunc(m.Migrations, func(x, y model.Migration) int { return cmp.Compare(x.Version, y.Version) })
}
