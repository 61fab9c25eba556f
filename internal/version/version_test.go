package version

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestVersion(t *testing.T) {
	const pseudo, sum = "v0.3.1-0.20260102030405-0123456789ab", "h1:abc="
	built := runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	own := func(version, sum string) debug.Module {
		return debug.Module{Path: Module, Version: version, Sum: sum}
	}
	dependency, replaced, local := own("v0.3.0", sum), own("v0.3.0", ""), own("v0.3.0", "")
	replaced.Replace = &debug.Module{Path: "example.com/fork", Version: "v0.4.0", Sum: sum}
	local.Replace = &debug.Module{Path: "../coordgen"}
	vcs := []debug.BuildSetting{{Key: "-compiler", Value: "gc"}, {Key: "vcs", Value: "git"}}
	app := debug.Module{Path: "example.com/app", Version: "v9.9.9", Sum: sum}

	for _, test := range []struct {
		name           string
		info           debug.BuildInfo
		version, shown string
	}{
		{"go install", debug.BuildInfo{Main: own("v0.3.0", sum), Settings: vcs[:1]}, "v0.3.0", "coordgen v0.3.0 (" + built + ")"},
		{"go install of a commit", debug.BuildInfo{Main: own(pseudo, sum)}, pseudo, "coordgen " + pseudo + " (" + built + ")"},
		{"vendored, which has no checksum", debug.BuildInfo{Main: own("v0.3.0", "")}, "v0.3.0", "coordgen v0.3.0 (" + built + ")"},
		{"linked by another program", debug.BuildInfo{Main: app, Settings: vcs, Deps: []*debug.Module{&app, &dependency}}, "v0.3.0", "coordgen v0.3.0 (" + built + ")"},
		{"replaced by a fork", debug.BuildInfo{Main: replaced}, "v0.4.0", "coordgen v0.4.0 (" + built + ")"},
		{"replaced by a folder", debug.BuildInfo{Main: app, Deps: []*debug.Module{&local}}, release, "coordgen " + release + " (devel, " + built + ")"},
		{"a checkout", debug.BuildInfo{Main: own("(devel)", "")}, release, "coordgen " + release + " (devel, " + built + ")"},
		{"a checkout that knows its commit", debug.BuildInfo{Main: own(pseudo+"+dirty", ""), Settings: vcs}, release, "coordgen " + release + " (devel " + pseudo + "+dirty, " + built + ")"},
		{"a checkout of a release", debug.BuildInfo{Main: own("v0.3.0", ""), Settings: vcs}, release, "coordgen " + release + " (devel v0.3.0, " + built + ")"},
		{"no coordgen", debug.BuildInfo{Main: app}, release, "coordgen " + release + " (devel, " + built + ")"},
		{"nothing known", debug.BuildInfo{}, release, "coordgen " + release + " (devel, " + built + ")"},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.version, versionOf(&test.info))
			assert.Equal(t, test.shown, describe(&test.info))
		})
	}
	assert.Equal(t, release, Current(), "the tests are built from a checkout")
}
