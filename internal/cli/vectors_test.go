package cli_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/cli"
	"github.com/coordgen/coordgen/internal/consumer"
)

var updateVectors = flag.Bool("update-vectors", false, "write what the cases of vectors should give")

// A chronicle is a case of testdata/vectors: v1/a.proto in the archive is a file of the
// first version, v2/migrate.go code that comes with the second, and a first line of
// flags says what the commands are given beside the schemas. Said is what the run of
// the last version says, and tests are what it generates; fails are the sub-tests of
// those that fail.
type chronicle struct {
	name, path, flags string
	archive           *txtar.Archive
	said              string
}

// TestVectors follows schemas through their versions as a team would: it locks each
// version, generates its code and its vectors, and runs the test of the last one.
func TestVectors(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles packages")
	}
	paths, err := filepath.Glob("testdata/vectors/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	m := consumer.New(t, "example.com/m")
	var cases []*chronicle
	for _, path := range paths {
		c := &chronicle{name: strings.TrimSuffix(filepath.Base(path), ".txtar")}
		c.path, err = filepath.Abs(path)
		require.NoError(t, err)
		c.archive, err = txtar.ParseFile(path)
		require.NoError(t, err)
		if line, _, _ := strings.Cut(string(c.archive.Comment), "\n"); strings.HasPrefix(line, "--") {
			c.flags = line
		}
		cases = append(cases, c)
	}
	t.Chdir(m.Dir)
	for _, c := range cases {
		c.play(t)
	}
	m.Go("mod", "tidy")
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.compare(t)
		})
	}
}

// play makes what there is after the last version.
func (c *chronicle) play(t *testing.T) {
	t.Helper()
	place := append([]string{"--out", c.name, "--module", "example.com/m/" + c.name}, strings.Fields(c.flags)...)
	finish := func() {
		c.run(t, "lock")
		c.run(t, "generate", place...)
		c.said = c.run(t, "vectors", place...)
		c.run(t, "vectors", append(place, "--check")...)
	}
	version := ""
	for _, f := range c.archive.Files {
		if !isVersion(f) {
			continue
		}
		v, file, _ := strings.Cut(f.Name, "/")
		if v != version && version != "" {
			finish()
		}
		version = v
		path := filepath.Join(c.name, filepath.FromSlash(file))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
		require.NoError(t, os.WriteFile(path, f.Data, 0o600))
	}
	finish()
}

func (c *chronicle) run(t *testing.T, command string, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	args = append([]string{command, "-I", c.name, c.name}, args...)
	code := cli.Main(context.Background(), args, cli.Streams{Out: &out, Err: &out})
	require.Equal(t, 0, code, "%v: %s", args, out.String())
	return out.String()
}

// failed finds the sub-tests that fail of samples.
var failed = regexp.MustCompile(`(?m)^ +--- FAIL: (\S+/(?:json|msgpack|proto)/\S+)`)

// compare runs the generated test, and compares with the archive what came of it.
func (c *chronicle) compare(t *testing.T) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "test", "-v", "./"+c.name+"/...").CombinedOutput()
	if err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError))
	}
	var fails strings.Builder
	for _, f := range failed.FindAllStringSubmatch(string(out), -1) {
		fails.WriteString(f[1] + "\n")
	}
	require.Equal(t, err != nil, fails.Len() > 0, "%s", out)
	require.Contains(t, string(out), "--- PASS: ", "nothing is tested")
	t.Logf("%s", out)
	got := []txtar.File{{Name: "said", Data: []byte(c.said)}}
	require.NoError(t, filepath.WalkDir(c.name, func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, "_vectors_test.go") {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			_, body, _ := strings.Cut(string(text), "\nfunc ")
			got = append(got, txtar.File{Name: filepath.ToSlash(path), Data: []byte("func " + body)})
		}
		return err
	}))
	if fails.Len() > 0 {
		got = append(got, txtar.File{Name: "fails", Data: []byte(fails.String())})
	}
	var all, want []txtar.File
	for _, f := range c.archive.Files {
		if isVersion(f) {
			all = append(all, f)
		} else {
			want = append(want, f)
		}
	}
	if *updateVectors {
		c.archive.Files = slices.Concat(all, got)
		require.NoError(t, os.WriteFile(c.path, txtar.Format(c.archive), 0o600))
		return
	}
	require.Equal(t, text(want), text(got), "run the test with -update-vectors")
}

var versionFolder = regexp.MustCompile(`^v[0-9]+/`)

// isVersion says whether a file of a case is one of a version.
func isVersion(f txtar.File) bool { return versionFolder.MatchString(f.Name) }

func text(files []txtar.File) string { return string(txtar.Format(&txtar.Archive{Files: files})) }
