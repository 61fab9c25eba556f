package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/cli"
)

// A log is what a command that goes on has printed so far.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// take returns what was printed up to and including the next line that says that
// the watch goes on.
func (l *log) take(t *testing.T) string {
	t.Helper()
	var run string
	require.Eventually(t, func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		before, rest, found := strings.Cut(l.text.String(), "; interrupt to end\n")
		if found {
			run = before[:strings.LastIndex(before, "coordgen: watching ")]
			l.text.Reset()
			l.text.WriteString(rest)
		}
		return found
	}, 10*time.Second, 5*time.Millisecond, "the watch answers")
	return run
}

func (l *log) empty() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Len() == 0
}

// startWatch runs "coordgen generate --watch" in a new folder with the given
// files until stop is called, which returns the exit code.
func startWatch(t *testing.T, files map[string]string, args ...string) (l *log, stop func() int) {
	t.Chdir(t.TempDir())
	for name, text := range files {
		save(t, name, text)
	}
	ctx, cancel := context.WithCancel(t.Context())
	l = &log{}
	code := make(chan int, 1)
	go func() {
		code <- cli.Main(ctx, append([]string{"generate", "--watch"}, args...), cli.Streams{Out: l, Err: l})
	}()
	stop = sync.OnceValue(func() int { cancel(); return <-code })
	t.Cleanup(func() { stop() })
	return l, stop
}

// save replaces a file at once, as many editors do.
func save(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o750))
	require.NoError(t, os.WriteFile(name+"~", []byte(text), 0o600))
	require.NoError(t, os.Rename(name+"~", name))
}

const watched = "syntax = \"proto3\";\npackage shop;\noption go_package = \"example.com/shop\";\n"

func TestWatchGeneratesWhatChanges(t *testing.T) {
	l, stop := startWatch(t, map[string]string{"proto/a.proto": watched + "message A { int32 n = 1; }\n"}, "-I", "proto", "proto")
	assert.Equal(t, "wrote a_json.gen.go\nwrote a_methods.gen.go\nwrote a_msgpack.gen.go\nwrote a_proto.gen.go\nwrote a_types.gen.go\n", l.take(t))

	save(t, "proto/a.proto", watched+"message A { int32 n = 1; int32 o = 2; }\n")
	assert.Equal(t, "wrote a_json.gen.go\nwrote a_methods.gen.go\nwrote a_msgpack.gen.go\nwrote a_proto.gen.go\nwrote a_types.gen.go\n", l.take(t))

	// A fault is told, with its place, and the next save mends it.
	save(t, "proto/a.proto", watched+"message A { Missing n = 1; }\n")
	assert.Equal(t, "proto/a.proto:4:13: field shop.A.n: unknown type Missing\n", l.take(t))
	save(t, "proto/a.proto", watched+"message A { int32 n = 1; int32 o = 2; }\n")
	assert.Empty(t, l.take(t), "the code is as it was")

	// A file written in place, a new file, and one in a new folder below.
	file, err := os.OpenFile("proto/a.proto", os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteString("message B {}\n")
	require.NoError(t, err)
	require.NoError(t, file.Close())
	assert.Contains(t, l.take(t), "wrote a_types.gen.go\n")
	save(t, "proto/b.proto", watched+"message C {}\n")
	assert.Contains(t, l.take(t), "wrote b_types.gen.go\n")
	save(t, "proto/deep/er/c.proto", watched+"message D {}\n")
	assert.Contains(t, l.take(t), "wrote c_types.gen.go\n")
	save(t, "proto/deep/er/c.proto", watched+"message E {}\n")
	assert.Contains(t, l.take(t), "wrote c_types.gen.go\n")

	// A folder that goes, and comes back.
	require.NoError(t, os.Rename("proto/deep", "away"))
	l.take(t)
	require.NoError(t, os.Rename("away", "proto/deep"))
	l.take(t)
	save(t, "proto/deep/er/c.proto", watched+"message F {}\n")
	assert.Contains(t, l.take(t), "wrote c_types.gen.go\n")

	// What a run does not read makes none.
	save(t, "proto/notes.txt", "later")
	require.NoError(t, os.Chmod("proto/a.proto", 0o640))
	require.Never(t, func() bool { return !l.empty() }, 300*time.Millisecond, 20*time.Millisecond)
	assert.Zero(t, stop(), "an interrupt is how a watch ends")
}

// A folder that is a link is watched as the one that it leads to is.
func TestWatchFollowsLinks(t *testing.T) {
	l, _ := startWatch(t, map[string]string{"proto/deep/a.proto": watched + "message A {}\n"}, "-I", "linked", "linked")
	assert.Contains(t, l.take(t), `include folder "linked" does not exist`)
	require.NoError(t, os.Symlink("proto", "linked"))
	assert.Contains(t, l.take(t), "wrote a_types.gen.go\n")
	save(t, "proto/deeper/still/b.proto", watched+"message B {}\n")
	assert.Contains(t, l.take(t), "wrote b_types.gen.go\n")
	save(t, "proto/deeper/still/b.proto", watched+"message C {}\n")
	assert.Contains(t, l.take(t), "wrote b_types.gen.go\n")
}

func TestWatchFollowsConfigurationAndImports(t *testing.T) {
	l, stop := startWatch(t, map[string]string{
		"coordgen.yaml":       "generate:\n  - schemas: [a.proto]\n    include: [., lib]\n",
		"a.proto":             watched + "import \"base/base.proto\";\nmessage A { base.B b = 1; }\n",
		"lib/base/base.proto": "syntax = \"proto3\";\npackage base;\noption go_package = \"example.com/shop/base\";\nmessage B {}\n",
	})
	assert.Contains(t, l.take(t), "wrote a_types.gen.go\n")

	save(t, "lib/base/base.proto", "syntax = \"proto3\";\npackage base;\noption go_package = \"example.com/shop/base\";\nmessage C {}\n")
	assert.Contains(t, l.take(t), "a.proto:5:13: field shop.A.b: unknown type base.B")
	save(t, "a.proto", watched+"import \"base/base.proto\";\nmessage A { base.C c = 1; }\n")
	assert.Contains(t, l.take(t), "wrote a_types.gen.go\n")

	save(t, "coordgen.yaml", "generate:\n  - schemas: [a.proto]\n    include: [., lib]\n    codecs: [json]\n")
	assert.Equal(t, "removed a_msgpack.gen.go\nremoved a_proto.gen.go\n", l.take(t))
	save(t, "coordgen.yaml", "generate: 7\n")
	assert.Contains(t, l.take(t), "coordgen.yaml:1:11: ")
	save(t, "coordgen.yaml", "generate:\n  - schemas: [a.proto]\n    include: [., lib]\n")
	assert.Equal(t, "wrote a_msgpack.gen.go\nwrote a_proto.gen.go\n", l.take(t))
	assert.Zero(t, stop())
}

func TestWatchEndsOnWrongUse(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{{"--watch"}, {"--watch", "--check", "a.proto"}, {"--watch", "--codecs", "xml", "a.proto"}} {
		var out bytes.Buffer
		assert.Equal(t, 2, cli.Main(t.Context(), append([]string{"generate"}, args...), cli.Streams{Out: &out, Err: &out}), "%v: %s", args, &out)
	}
}
