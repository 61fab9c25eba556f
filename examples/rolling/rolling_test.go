package main

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/examples/rolling/worker"
)

// program builds this example, or what is at path in the folder dir.
func program(t *testing.T, dir, path string) string {
	binary := filepath.Join(t.TempDir(), "program")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", binary, path)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return binary
}

// The story is run as a user runs it.
func TestStory(t *testing.T) {
	// A test runs again when what it opened is another: all that the story builds.
	require.NoError(t, filepath.WalkDir(".", func(string, fs.DirEntry, error) error { return nil }))
	out, err := exec.CommandContext(t.Context(), program(t, ".", ".")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, part := range []string{
		"w2 v1  is killed, and started again as version 2",
		"ok: all write at version 2 in each format",
		"ok: all others write at version 1 again",
		"ok: the pins are off, and all write at version 1 because of w7",
		"0 lost, 0 read twice",
		"ok      0 messages could not be read",
	} {
		assert.Contains(t, string(out), part)
	}
	assert.NotContains(t, string(out), "FAILED")
}

// However the driver ends, its workers do, too. They hold its standard error.
func TestNoWorkerOutlivesTheDriver(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), program(t, ".", "."))
	cmd.Env = append(cmd.Environ(), "TMPDIR="+t.TempDir()) // which it can't clear
	cmd.Stderr = &strings.Builder{}
	cmd.WaitDelay = 30 * time.Second
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	for lines := bufio.NewScanner(out); lines.Scan() && !strings.Contains(lines.Text(), "all take orders"); {
	}
	require.NoError(t, cmd.Process.Kill())
	require.EqualError(t, cmd.Wait(), "signal: killed", "not that something holds the standard error still")
}

func TestCheck(t *testing.T) {
	coordgen := program(t, "../..", "./cmd/coordgen")
	const first = `orders.proto:18:3: note: ENUM_VALUE_ADDED: enum value "shop.Priority.PRIORITY_EXPRESS" is new; old code keeps it as a value that it does not know; upgrade the subscribers first, if they are to act on it
orders.proto:32:3: note: FIELD_RENAMED: field "shop.Order.buyer" was called "customer": old code can't read new messages in json, msgpack (waived: all publishers write at the fleet's version)
orders.proto:38:3: note: FIELD_RETIRED: field "shop.Order.grams" is there until version 1: where new code no longer sets it, old code sees its zero or default; upgrade the subscribers first, or write at the fleet's lowest version
`
	const noted = `orders.proto:46:3: note: SINCE_MISSING: field "shop.Order.note" is new and says no since, so that publishers at version 1 write it, too; say (coordgen.field).since = 2
`
	const last = `rollout: subscribers first, where they are to act on what is new (topics "orders.packed", "orders.placed"); any other order loses nothing but that.
`
	for _, c := range []struct{ folder, command, answer string }{
		{"v1", "lock --check orders.proto", ""},
		{"v2", "lock --check orders.proto", ""},
		{"v2", "check orders.proto", first + noted + last},
		{"v2", "check --against ../v1 orders.proto", first + last},
	} {
		cmd := exec.CommandContext(t.Context(), coordgen, strings.Fields(c.command)...)
		cmd.Dir = c.folder
		out, err := cmd.CombinedOutput()
		assert.NoError(t, err, c.command)
		assert.Equal(t, c.answer, string(out), c.command)
	}

	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	_, after, found := strings.Cut(string(readme), "    $ coordgen check orders.proto\n")
	require.True(t, found)
	shown, _, _ := strings.Cut(after, "\n\n")
	lines := strings.Split(strings.TrimSpace(first+noted+last), "\n")
	for i, line := range strings.Split(shown, "\n") {
		require.Less(t, i, len(lines), "the README shows %q", line)
		begin := strings.TrimSuffix(strings.TrimPrefix(line, "    "), "...")
		assert.True(t, strings.HasPrefix(lines[i], begin), "%q\nand not, as the README shows, %q", lines[i], line)
	}
}

func at(ms int) time.Time { return time.UnixMilli(int64(ms)) }

func TestTheLedgerFindsWhatIsWrong(t *testing.T) {
	const stream = "new v2 orders.placed"
	wrote := func(number, begun int, version string) worker.Event {
		return worker.Event{Kind: worker.Wrote, Version: 2, Stream: stream, Number: number, Written: version, At: at(begun), AcceptedAt: at(begun + 2)}
	}
	read := func(number int) worker.Event { return worker.Event{Kind: worker.Read, Stream: stream, Number: number} }
	joins := worker.Event{Kind: worker.Joins, Version: 1, At: at(5)}
	works := worker.Event{Kind: worker.Works, At: at(10)}
	leaves := worker.Event{Kind: worker.Leaves, At: at(20)}
	gone := worker.Event{Kind: ended, At: at(30)}

	for name, c := range map[string]struct {
		wrote []worker.Event // by the new one
		old   []worker.Event // of the old one
		want  count
	}{
		"all is well":          {[]worker.Event{wrote(1, 12, "1")}, []worker.Event{read(1)}, count{due: 1, byFirst: 1}},
		"one is lost":          {[]worker.Event{wrote(1, 12, "1")}, nil, count{due: 1, lost: 1, byFirst: 1}},
		"one is read twice":    {[]worker.Event{wrote(1, 12, "1")}, []worker.Event{read(1), read(1)}, count{due: 1, double: 1, byFirst: 1}},
		"too early to be due":  {[]worker.Event{wrote(1, 9, "1")}, nil, count{byFirst: 1}},
		"too late to be due":   {[]worker.Event{wrote(1, 19, "1")}, nil, count{byFirst: 1}},
		"a version too new":    {[]worker.Event{wrote(1, 12, "2")}, []worker.Event{read(1)}, count{due: 1, bySecond: 1, foreign: 1}},
		"one that is too late": {[]worker.Event{wrote(1, 29, "2")}, nil, count{bySecond: 1, foreign: 1}},
		"one before it works":  {[]worker.Event{wrote(1, 8, "2")}, nil, count{bySecond: 1, fallBack: 3 * time.Millisecond}},
		"when it is gone":      {[]worker.Event{wrote(1, 31, "2")}, nil, count{bySecond: 1}},
	} {
		l := newLedger()
		for _, e := range append([]worker.Event{joins, works, leaves, gone}, c.old...) {
			l.take("old v1", e)
		}
		for _, e := range c.wrote {
			l.take("new v2", e)
		}
		got := l.count()
		got.written = nil
		assert.Equal(t, c.want, got, name)
	}

	l := newLedger()
	for _, e := range []worker.Event{joins, works, wrote(1, 12, "1"), wrote(2, 13, "1"), wrote(3, 14, "1"), read(2)} {
		l.take("old v1", e)
	}
	l.killed("old v1", at(15))
	got := l.count()
	assert.Equal(t, 1, got.due, "one that was killed had to read what came before what it read")
	assert.Equal(t, 1, got.lost)

	l.take("old v1", worker.Event{Kind: worker.Unreadable, Detail: "no customer"})
	assert.Equal(t, []string{"no customer"}, l.count().unreadable)
	require.Error(t, l.report(t.Output()))
}

func TestTheOrderBookFindsWhatIsWrong(t *testing.T) {
	order := func(kind, by string, version int, order string) worker.Event {
		return worker.Event{Kind: kind, Worker: by, Version: version, Order: json.RawMessage(order)}
	}
	const sent = `{"number":2,"placed_by":"a","packer":"b","buyer":"Ada","kilograms":0.5,"channel":"web","note":"x"}`
	b := newOrderBook()
	b.take(order(worker.Sent, "a", 2, sent))
	b.take(order(worker.Saw, "b", 1, `{"number":2,"placed_by":"a","packer":"b","customer":"Ada","grams":500,"note":""}`))
	b.take(order(worker.Back, "a", 2, `{"number":2,"placed_by":"a","packer":"b","buyer":"Ada","kilograms":0.5}`))
	assert.Empty(t, b.wrong)
	assert.Equal(t, map[route]map[string]int{{2, 1}: {"channel, note": 1}}, b.routes())
	assert.False(t, route{2, 1}.verdict(b.routes()[route{2, 1}]).ok, "the note is lost")
	assert.True(t, route{2, 1}.verdict(map[string]int{"channel": 1}).ok)
	assert.False(t, route{2, 1}.verdict(nil).ok, "no order went that way")

	b.take(order(worker.Saw, "c", 1, sent))
	b.take(order(worker.Saw, "c", 2, strings.Replace(sent, "0.5", "500", 1)))
	assert.Len(t, b.wrong, 2)
	assert.False(t, b.saw(1, "customer, grams, number, packer, placed_by").ok)
}
