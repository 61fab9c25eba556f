package compat

import (
	"fmt"
	"slices"

	"github.com/coordgen/coordgen/internal/model"
)

// migrations compares what messages of older versions are read by, and made for older
// readers. A migration of another name and the same version is the same one.
func (c *comparison) migrations(old, next *model.Message) {
	for _, o := range old.Migrations {
		at := slices.IndexFunc(next.Migrations, func(n model.Migration) bool { return n.Name == o.Name })
		if at < 0 {
			at = slices.IndexFunc(next.Migrations, func(n model.Migration) bool { return n.Version == o.Version })
		}
		name := next.Name + "." + o.Name
		f := Finding{Rule: MigrationChanged, Pos: next.Pos, Element: name, Forward: All}
		switch {
		case at < 0:
			f.Rule, f.Backward = MigrationRemoved, All
			f.Message = fmt.Sprintf("migration %q is gone, by which messages of before version %d are read", name, o.Version)
			f.Mend = fmt.Sprintf("keep it until nothing of before version %d is left", o.Version)
		case next.Migrations[at].Version != o.Version:
			f.Backward = All
			f.Message = fmt.Sprintf("migration %q was for version %d and is for version %d", name, o.Version, next.Migrations[at].Version)
			f.Mend = fmt.Sprintf("let it be for version %d", o.Version)
		case o.Reversible && !next.Migrations[at].Reversible:
			f.Message = fmt.Sprintf("migration %q is no longer reversible, so that nothing can be written at a version before %d", name, o.Version)
			f.Mend = fmt.Sprintf("keep it reversible until no instance of before version %d is left", o.Version)
		default:
			continue
		}
		c.note(f, next.Name)
	}
}
