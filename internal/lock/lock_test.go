package lock_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/cases"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/lock"
	"github.com/coordgen/coordgen/internal/model"
)

// schema compiles one file, a.proto, behind what it needs to begin with.
func schema(t *testing.T, version string, text string) *model.File {
	t.Helper()
	dir := t.TempDir()
	text = "syntax = \"proto3\";\npackage shop;\nimport \"coordgen/options.proto\";\nimport \"google/protobuf/empty.proto\";\n" +
		"option (coordgen.schema).version = " + version + ";\n" + text
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.proto"), []byte(text), 0o600))
	r, err := load.Load(t.Context(), load.Options{Files: []string{"a.proto"}, Include: []string{dir}})
	require.NoError(t, err)
	return r.Schema.Files[len(r.Schema.Files)-1]
}

func record(t *testing.T, l *lock.Lock, f *model.File) (*lock.Lock, []string) {
	t.Helper()
	next, changes := l.Record(f, false)
	texts := make([]string, len(changes))
	for i, c := range changes {
		texts[i] = c.String()
	}
	return next, texts
}

func parse(t *testing.T, text []byte) *lock.Lock {
	t.Helper()
	l, faults := lock.Parse("a.proto.lock", text)
	require.Empty(t, faults, "%s", text)
	return l
}

const first = `
message Order { string id = 1; int64 total = 2; }
enum Color { COLOR_UNSPECIFIED = 0; COLOR_RED = 1; }
service Orders { rpc Placed(Order) returns (google.protobuf.Empty) { option (coordgen.topic) = { name: "placed" }; } }
`

const second = `
message Order {
  reserved 2; reserved "total";
  string id = 1 [(coordgen.field) = { name: "order id", aliases: "id" }];
  oneof payment { string card = 3; }
  map<string, Line> lines = 4;
}
message Line { optional Color color = 1; }
enum Color { COLOR_UNSPECIFIED = 0; COLOR_RED = 1; }
`

func TestVersionsStayOnRecord(t *testing.T) {
	l := &lock.Lock{Path: "a.proto.lock"}
	one, changes := record(t, l, schema(t, "1", first))
	assert.Len(t, changes, 8)
	two, changes := record(t, one, schema(t, "2", second))
	assert.Equal(t, []string{
		`removed callback "shop.Orders.Placed"`, `added field "shop.Line.color"`, `added field "shop.Order.card"`,
		`changed field "shop.Order.id"`, `added field "shop.Order.lines"`, `removed field "shop.Order.total"`,
		`added message "shop.Line"`, `changed message "shop.Order"`, `added oneof "shop.Order.payment"`, `removed service "shop.Orders"`,
	}, changes)
	assert.Equal(t, `# What a.proto was, version by version. "coordgen lock" writes this file; nobody
# edits it. Each line stands for itself, in any order: where a merge stops, keep the
# lines of both sides and run "coordgen lock" again.
lock 1
schema shop v1
schema shop v2
enum shop.Color v1 go=Color
value shop.Color.COLOR_RED v1 number=1 key=red go=ColorRed
value shop.Color.COLOR_UNSPECIFIED v1 number=0 key=unspecified go=ColorUnspecified
message shop.Line v2 go=Line
field shop.Line.color v2 number=1 type=enum:shop.Color optional key=color go=Color presence
message shop.Order v1 go=Order
message shop.Order v2 go=Order reserved=2 reserved=total
field shop.Order.card v2 number=3 type=string key=card go=Card oneof=payment member=OrderCard presence
field shop.Order.id v1 number=1 type=string key=id go=ID
field shop.Order.id v2 number=1 type=string key="order id" alias=id go=ID
field shop.Order.lines v2 number=4 type=message:shop.Line map=string key=lines go=Lines
oneof shop.Order.payment v2 go=Payment interface=OrderPayment
field shop.Order.total v1 number=2 type=int64 key=total go=Total
field shop.Order.total v2 removed
service shop.Orders v1
service shop.Orders v2 removed
callback shop.Orders.Placed v1 input=message:shop.Order topic=placed const=PlacedTopic func=PlacedCallback
callback shop.Orders.Placed v2 removed
`, string(two.Format()))
	read := parse(t, two.Format())
	assert.Equal(t, []int{1, 2}, read.Versions())
	for version, of := range map[int]string{1: first, 2: second} {
		again := &lock.Lock{Path: "a.proto.lock"}
		want, _ := again.Record(schema(t, map[int]string{1: "1", 2: "2"}[version], of), false)
		got, _ := again.Record(read.Restore("a.proto", version, lock.Among{}), false)
		assert.Equal(t, string(want.Format()), string(got.Format()), "version %d", version)
	}
}

// The version that is on record can be recorded anew, as if it had never been.
func TestRecordAnew(t *testing.T) {
	one, _ := record(t, &lock.Lock{Path: "a.proto.lock"}, schema(t, "1", first))
	two, _ := record(t, one, schema(t, "2", second))
	back, _ := record(t, two, schema(t, "2", first))
	assert.Equal(t, strings.Replace(string(one.Format()), "schema shop v1\n", "schema shop v1\nschema shop v2\n", 1), string(back.Format()))
	_, changes := record(t, back, schema(t, "2", first))
	assert.Empty(t, changes)
}

// The lines of both sides of a merge, in whatever order, are the lock of both.
func TestMerged(t *testing.T) {
	base, _ := record(t, &lock.Lock{Path: "a.proto.lock"}, schema(t, "1", "message Order { string id = 1; }"))
	ours, _ := record(t, base, schema(t, "2", "message Order { string id = 1; int64 total = 2; }"))
	theirs, _ := record(t, base, schema(t, "2", "message Order { string id = 1; string customer = 3; } message Line {}"))
	both, _ := record(t, base, schema(t, "2", "message Order { string id = 1; int64 total = 2; string customer = 3; } message Line {}"))
	lines := strings.SplitAfter(string(ours.Format())+string(theirs.Format()), "\n")
	rand.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	assert.Equal(t, string(both.Format()), string(parse(t, []byte(strings.Join(lines, ""))).Format()))
}

// What is restored from a lock is what was recorded, for every schema that package
// load is tested with.
func TestAllSchemas(t *testing.T) {
	paths, err := filepath.Glob("../load/testdata/good/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		r, err := load.Load(context.Background(), cases.Extract(t, archive))
		require.NoError(t, err, path)
		locks := map[string]*lock.Lock{}
		for _, f := range r.Schema.Files {
			l, _ := (&lock.Lock{Path: f.Path + lock.Extension}).Record(f, false)
			again, faults := lock.Parse(l.Path, l.Format())
			require.Empty(t, faults, path)
			require.Equal(t, string(l.Format()), string(again.Format()))
			locks[f.Path] = again
		}
		for _, f := range r.Schema.Files {
			restored := locks[f.Path].Restore(f.Path, f.Version, lock.Among{Schema: r.Schema, Locks: locks})
			l, changes := locks[f.Path].Record(restored, true)
			require.Empty(t, changes, path)
			require.Equal(t, string(locks[f.Path].Format()), string(l.Format()))
			for _, m := range restored.Messages {
				for _, field := range m.Fields {
					if inner := field.Type.Message; inner != nil {
						require.NotNil(t, inner.File, "%s: the type of %s.%s", path, m.Name, field.Name)
					}
				}
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("lock 1\nschema \"\" v1\nmessage A v1 go=A reserved=1:4\nfield A.b v1 number=1 type=message:A key=\"b c\" go=B oneof=x member=AB\nfield A.b v2 removed\n")
	f.Add("lock 1\nschema s v1\nimport b.proto v1 version=2\nservice S v1\nenum E v1 go=E\nvalue E.A v1 number=-1 key=a go=EA\ncallback S.R v1 input=message:A topic=x func=F const=C\n")
	f.Fuzz(func(t *testing.T, text string) {
		l, faults := lock.Parse("a.proto.lock", []byte(text))
		l.Given()
		l.Restore("a.proto", l.Latest(), lock.Among{Locks: map[string]*lock.Lock{"b.proto": l}})
		if len(faults) == 0 {
			again, faults := lock.Parse("a.proto.lock", l.Format())
			require.Empty(t, faults)
			require.Equal(t, string(l.Format()), string(again.Format()))
		}
	})
}
