package lock_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/lock"
	"github.com/coordgen/coordgen/internal/model"
)

// Which name of a number is written is on record. A lock from before that is taken to
// have had the order that the schema has.
func TestAliases(t *testing.T) {
	now := schema(t, "1", "enum E { option allow_alias = true; Z = 0; C = 1; B = 1; A = 1; }")
	l, _ := record(t, &lock.Lock{Path: "a.proto.lock"}, now)
	assert.Contains(t, string(l.Format()), "value shop.E.B v1 number=1 second key=b go=EB\n")
	first := func(f *model.File) string {
		values := f.Enums[0].Values
		return values[slices.IndexFunc(values, func(v *model.EnumValue) bool { return v.Number == 1 })].Name
	}
	assert.Equal(t, "C", first(l.Restore("a.proto", 1, lock.Among{})))
	older := parse(t, []byte(strings.ReplaceAll(string(l.Format()), " second", "")))
	assert.Equal(t, "C", first(older.Restore("a.proto", 1, lock.Among{Schema: &model.Schema{Files: []*model.File{now}}})))
	again, _ := record(t, older, now)
	assert.Equal(t, string(l.Format()), string(again.Format()))
}

// A migration is on record, as is that it went. A lock from before that is read, and is
// not what the schema is.
func TestMigrations(t *testing.T) {
	const order = "message Order { %s double kilograms = 1; uint32 schema_version = 2 [(coordgen.field).role = SCHEMA_VERSION]; }"
	with := func(version, migration string) *model.File {
		return schema(t, version, fmt.Sprintf(order, migration))
	}
	second := with("2", `option (coordgen.message).migrations = { name: "weight", version: 2, reversible: true };`)
	l, _ := record(t, &lock.Lock{Path: "a.proto.lock"}, with("1", ""))
	l, changes := record(t, l, second)
	assert.Equal(t, []string{`added migration "shop.Order.weight"`}, changes)
	l, changes = record(t, l, with("3", ""))
	assert.Equal(t, []string{`removed migration "shop.Order.weight"`}, changes)
	const lines = "migration shop.Order.weight v2 version=2 reversible\nmigration shop.Order.weight v3 removed\n"
	assert.Contains(t, string(l.Format()), lines)
	l = parse(t, l.Format())
	at := func(version int) []model.Migration {
		return l.Restore("a.proto", version, lock.Among{}).Messages[0].Migrations
	}
	assert.Empty(t, at(1))
	assert.Equal(t, []model.Migration{{Name: "weight", Version: 2, Reversible: true}}, at(2))
	assert.Empty(t, at(3))

	older := parse(t, []byte(strings.ReplaceAll(string(l.Format()), lines, "")))
	assert.Equal(t, []lock.Change{{Verb: "added", Element: `migration "shop.Order.weight"`}},
		lock.Changes(older.Restore("a.proto", 2, lock.Among{}), second))
}

// loadAll loads schemas, by their names.
func loadAll(t *testing.T, files map[string]string) *load.Result {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("syntax = \"proto3\";\npackage shop;\nimport \"coordgen/options.proto\";\n"+text), 0o600))
	}
	r, err := load.Load(t.Context(), load.Options{Files: []string{dir}, Include: []string{dir}})
	require.NoError(t, err)
	return r
}

// Types of imports are those that the imports had when a version was recorded. Where
// the lock does not say which, they are those from before now.
func TestImports(t *testing.T) {
	common := func(version, field string) string {
		return "option (coordgen.schema).version = " + version + ";\nmessage Money { int64 " + field + " = 1; }\n"
	}
	importer := func(version string) string {
		return "import \"common.proto\";\noption (coordgen.schema).version = " + version + ";\nmessage Order { Money sum = 1; }\n"
	}
	locks := map[string]*lock.Lock{"common.proto": {Path: "common.proto.lock"}, "orders.proto": {Path: "orders.proto.lock"}}
	var now *load.Result
	for _, step := range []struct{ common, orders, field string }{{"1", "1", "a"}, {"2", "1", "b"}, {"3", "2", "c"}, {"4", "2", "d"}} {
		now = loadAll(t, map[string]string{"common.proto": common(step.common, step.field), "orders.proto": importer(step.orders)})
		for _, f := range now.Schema.Files {
			locks[f.Path], _ = record(t, locks[f.Path], f)
		}
	}
	field := func(version int, locks map[string]*lock.Lock) string {
		sum := locks["orders.proto"].Restore("orders.proto", version, lock.Among{Schema: now.Schema, Locks: locks}).Messages[0].Fields[0].Type.Message
		if sum.File == nil {
			return "nowhere"
		}
		return sum.Fields[0].Name
	}
	assert.Equal(t, "a", field(1, locks), "it stays, while the version does")
	assert.Equal(t, "c", field(2, locks))
	without := parse(t, []byte(strings.ReplaceAll(string(locks["orders.proto"].Format()), "import common.proto", "# ")))
	assert.Equal(t, "c", field(2, map[string]*lock.Lock{"common.proto": locks["common.proto"], "orders.proto": without}), "before now")
	assert.Equal(t, "nowhere", field(1, map[string]*lock.Lock{"orders.proto": locks["orders.proto"]}))
	behind, _ := record(t, &lock.Lock{Path: "common.proto.lock"}, now.Schema.Files[0])
	assert.Equal(t, "nowhere", field(1, map[string]*lock.Lock{"common.proto": behind, "orders.proto": locks["orders.proto"]}))
	amended, _ := locks["orders.proto"].Record(now.Schema.Files[1], true)
	assert.Equal(t, []string{"common.proto"}, amended.Imported())
	assert.Equal(t, "d", field(2, map[string]*lock.Lock{"common.proto": locks["common.proto"], "orders.proto": amended}))
}
