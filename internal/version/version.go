// Package version says which coordgen this is. Its commands share it, so that the
// code that they generate names the same version.
package version

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
)

// release is the version of a coordgen built from a checkout, which has no
// other to tell. A release raises it before it is tagged, so that the code
// checked in here names the release that it is a part of.
const release = "v0.1.0"

// Module is the import path of coordgen's module.
const Module = "github.com/coordgen/coordgen"

// Current is the version of coordgen that generated files name: that of the
// module where it is a requirement or was installed, whose code the version
// pins, otherwise the release that the checkout belongs to. So the same source
// gives the same version on every machine, whatever its version control says.
func Current() string {
	return versionOf(buildInfo())
}

// Pinned says whether [Current] is one that a module can require.
func Pinned() bool {
	info := buildInfo()
	return pinned(info, module(info))
}

// Describe is the version, and the Go that it was built with, as commands print
// them.
func Describe() string {
	return describe(buildInfo())
}

func versionOf(info *debug.BuildInfo) string {
	if m := module(info); pinned(info, m) {
		return m.Version
	}
	return release
}

func buildInfo() *debug.BuildInfo {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info
	}
	return &debug.BuildInfo{}
}

// pinned says whether the version of coordgen's module says what code it is. In
// a checkout it does not: there Go makes it of tags, commits and changes.
func pinned(info *debug.BuildInfo, m *debug.Module) bool {
	if m.Version == "" || m.Version == "(devel)" {
		return false
	}
	checkout := slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "vcs" })
	return m != &info.Main || !checkout
}

// module returns coordgen's own module: the main one of "go install" and
// "go tool", a dependency in a program that links this package.
func module(info *debug.BuildInfo) *debug.Module {
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path != Module {
			continue
		}
		if m.Replace != nil {
			return m.Replace
		}
		return m
	}
	return &debug.Module{}
}

func describe(info *debug.BuildInfo) string {
	built := runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	switch m := module(info); {
	case pinned(info, m):
		return fmt.Sprintf("coordgen %s (%s)", m.Version, built)
	case m.Version != "" && m.Version != "(devel)":
		return fmt.Sprintf("coordgen %s (devel %s, %s)", release, m.Version, built)
	}
	return fmt.Sprintf("coordgen %s (devel, %s)", release, built)
}
