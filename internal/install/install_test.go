// Package install has repositories use coordgen as they would use a release of
// it: as a tool of their module, installed, vendored, and offline. Nothing is
// fetched: the release is made of the checkout.
package install_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

// TestInstall runs the scripts of testdata. They share a module cache, which is
// empty at first, and run one after the other, so that each finds what those
// before it compiled.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command a few times")
	}
	scripts, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, scripts)
	root := workFolder(t)
	environment := map[string]string{
		"GOPROXY": newProxy(t), "GONOPROXY": "none", "GOSUMDB": "off", "GOTOOLCHAIN": "local",
		"GOENV": "off", "GOWORK": "off", "GOFLAGS": "-modcacherw",
		// A version is something else in each run, against what Go's index of
		// modules relies on.
		"GODEBUG": "goindex=0",
		"GOCACHE": goEnv(t, "GOCACHE"), "GOMODCACHE": filepath.Join(root, "modules"),
		"FIRST": first, "SECOND": second, "NEWER": newer,
		"COORDGEN": modulePath, "COMMAND": modulePath + "/cmd/coordgen",
	}
	for _, script := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(script), ".txtar"), func(t *testing.T) {
			testscript.Run(t, testscript.Params{
				Files:               []string{script},
				WorkdirRoot:         root,
				RequireExplicitExec: true,
				RequireUniqueNames:  true,
				Setup: func(env *testscript.Env) error {
					for name, value := range environment {
						env.Setenv(name, value)
					}
					env.Setenv("PATH", filepath.Join(env.WorkDir, "bin")+string(os.PathListSeparator)+env.Getenv("PATH"))
					env.Setenv("GOBIN", filepath.Join(env.WorkDir, "bin"))
					return nil
				},
			})
		})
	}
}

// workFolder returns an empty folder, the same in each run unless another run
// has it. The build cache goes by folders: in the same one, all that did not
// change since the last run is compiled already.
func workFolder(t *testing.T) string {
	folder := filepath.Join(os.TempDir(), "coordgen-install-test")
	if err := os.Mkdir(folder, 0o700); err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(folder)) })
	return folder
}
