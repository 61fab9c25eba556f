package lock_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/lock"
)

// What was taken out of a lock, or put into it, is told with its place and what to do.
func TestFaults(t *testing.T) {
	const head = "lock 1\nschema shop v1\n"
	const message = "message shop.A v1 go=A\n"
	const field = "field shop.A.b v1 number=1 type=string key=b go=B\n"
	for name, c := range map[string]struct{ text, fault string }{
		"a version's line": {
			"lock 1\n" + message,
			`a.proto.lock:2:1: version 1 has no line such as: schema shop v1; take the lock from the version control`,
		},
		"two packages": {
			head + "schema store v1\n",
			`a.proto.lock:3:1: version 1 has another line of a schema, 2; delete the one whose package the schema does not have`,
		},
		"a field's message": {
			head + field,
			`a.proto.lock:3:1: field "shop.A.b" is there from version 1 on, and message "shop.A", which it is in, is not; if a merge left the line, delete it and run "coordgen lock --amend", else take the lock from the version control`,
		},
		"a field's message, later": {
			head + "schema shop v2\n" + message + "message shop.A v2 removed\n" + field,
			`a.proto.lock:6:1: field "shop.A.b" is there from version 1 on, and message "shop.A", which it is in, is not; `,
		},
		"a oneof": {
			head + message + "field shop.A.b v1 number=1 type=string key=b go=B oneof=o member=AB\n",
			`a.proto.lock:4:1: field "shop.A.b" is there from version 1 on, and oneof "shop.A.o", which it is in, is not; `,
		},
		"a migration": {
			head + "migration shop.A.b v1 version=2\n",
			`a.proto.lock:3:1: migration "shop.A.b" is there from version 1 on, and message "shop.A", which it is in, is not; `,
		},
		"a migration's version": {
			head + message + "migration shop.A.b v1 reversible\n",
			`a.proto.lock:4:1: the line of migration "shop.A.b" does not say its "version"; `,
		},
		"an enum": {
			head + "value shop.E.A v1 number=0 key=a go=EA\n",
			`a.proto.lock:3:1: value "shop.E.A" is there from version 1 on, and enum "shop.E", `,
		},
		"a service": {
			head + "callback shop.S.C v1 input=bool func=C\n",
			`a.proto.lock:3:1: callback "shop.S.C" is there from version 1 on, and service "shop.S", `,
		},
		"what was removed": {
			head + "schema shop v2\n" + message + "field shop.A.b v2 removed\n",
			`a.proto.lock:5:1: field "shop.A.b" is removed in version 2, and no line says what it was; take the lock from the version control`,
		},
		"a fact": {
			head + message + "field shop.A.b v1 number=1 key=b go=B\n",
			`a.proto.lock:4:1: the line of field "shop.A.b" does not say its "type"; take it from the version control`,
		},
		"the key": {
			head + message + "field shop.A.b v1 number=1 type=string go=B\n",
			`a.proto.lock:4:1: the line of field "shop.A.b" does not say its "key"; `,
		},
		"a topic's constant": {
			head + "service shop.S v1\ncallback shop.S.C v1 input=bool topic=x func=C\n",
			`a.proto.lock:4:1: the line of callback "shop.S.C" does not say its "const"; `,
		},
		"a fact twice": {
			head + message + "field shop.A.b v1 number=1 number=2 type=string key=b go=B\n",
			`a.proto.lock:4:1: the line of field "shop.A.b" says its "number" twice; take it from the version control`,
		},
		"a flag twice": {
			head + message + "field shop.A.b v1 number=1 type=string optional key=b optional go=B\n",
			`a.proto.lock:4:1: the line of field "shop.A.b" says its "optional" twice; `,
		},
		"a schema that is removed": {
			head + "schema shop v2 removed\n",
			`a.proto.lock:3:1: "removed" says nothing about a schema; `,
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, faults := lock.Parse("a.proto.lock", []byte(c.text))
			require.Len(t, faults, 1)
			assert.Contains(t, faults[0].Pos.String()+": "+faults[0].Message, c.fault)
		})
	}
	parse(t, []byte("\ufeff"+head+message+field)) // as an editor may begin it
	parse(t, []byte(head+"schema shop v4294967295\nmessage shop.A v4294967295 go=A\n"))
}

// Two lines about one element that differ in lists say both. Which import is the newer
// one is what a merge has.
func TestMergedLines(t *testing.T) {
	l := parse(t, []byte(`lock 1
schema shop v1
schema shop v2
import common.proto v1 version=1
import common.proto v2 version=2
import common.proto v2 version=3
message shop.A v1 go=A
message shop.A v2 go=A reserved=7 reserved=b
message shop.A v2 go=A reserved=12 reserved=a
field shop.A.f v1 number=1 type=string key=f go=F
field shop.A.f v2 number=1 type=string key=f alias=y go=F
field shop.A.f v2 number=1 type=string key=f alias=x go=F
`))
	text := string(l.Format())
	assert.Contains(t, text, "\nimport common.proto v2 version=3\nmessage")
	assert.Contains(t, text, "\nmessage shop.A v2 go=A reserved=7 reserved=12 reserved=a reserved=b\n")
	assert.Contains(t, text, "\nfield shop.A.f v2 number=1 type=string key=f alias=x alias=y go=F\n")
	now := schema(t, "2", `message A { reserved "b", "a"; reserved 12; reserved 7; string f = 1 [(coordgen.field) = { aliases: ["y", "x"] }]; }`)
	assert.Empty(t, lock.Changes(l.Restore("a.proto", 2, lock.Among{}), now))
	_, faults := lock.Parse("a.proto.lock", []byte("lock 1\nschema shop v1\nmessage shop.A v1 go=A\nmessage shop.A v1 go=B\n"))
	require.Len(t, faults, 1)
	assert.Contains(t, faults[0].Message, "has another line, 3; delete one of them")
}

// What is no file is not read.
func TestRead(t *testing.T) {
	_, err := lock.Read(t.TempDir())
	require.ErrorContains(t, err, "this is no file, as a lock is; move it")
	_, err = lock.Read(filepath.Join(t.TempDir(), "a.proto.lock"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
