package cli

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/model"
)

// folders decides where the code of each Go package goes. Without a module all
// code is one package and goes right into the output folder. With one, which is
// that folder's import path, a package has the folder below it that its own
// import path says.
func (r request) folders(s *model.Schema) (map[model.GoPackage]string, error) {
	folders := map[model.GoPackage]string{}
	var faults load.Errors
	var outside []string
	for _, f := range s.Files {
		if _, done := folders[f.Go]; done || !f.Target {
			continue
		}
		folders[f.Go] = filepath.Clean(r.out)
		if r.module == "" {
			continue
		}
		below, ok := f.Go.Below(r.module)
		if !ok {
			outside = append(outside, f.Go.Path)
			faults = append(faults, r.fault("%s has the Go package %q, which does not lie in module %q; change its go_package, give it another with --package, or generate it apart",
				f.Path, f.Go.Path, r.module))
			continue
		}
		folders[f.Go] = filepath.Join(r.out, filepath.FromSlash(below))
	}
	if common := commonPath(outside); len(outside) > 1 && common != "" {
		faults = load.Errors{r.fault("the schemas are of %d Go packages of %s that do not lie in module %q; give them others, with --package %s=%s, or generate them apart",
			len(outside), common, r.module, common, r.module)}
	}
	if r.module == "" && len(folders) > 1 {
		faults = append(faults, r.severalPackages(slices.Collect(maps.Keys(folders))))
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return folders, nil
}

// severalPackages is the fault of a request that does not say which folder is
// whose.
func (r request) severalPackages(packages []model.GoPackage) load.Diagnostic {
	var paths []string
	for _, p := range packages {
		if p.Path == "" {
			return r.fault("the schemas are of %d Go packages, and that of package %q has no go_package to place it by; give it one, or generate it apart",
				len(packages), p.Name)
		}
		paths = append(paths, p.Path)
	}
	slices.Sort(paths)
	mend := "generate them apart"
	if common := commonPath(paths); common != "" {
		flag := "--module "
		if r.pos.Path != "" {
			flag = "module: "
		}
		mend = fmt.Sprintf("say which import path the output folder has, such as %s%s, or generate them apart", flag, common)
	}
	return r.fault("the schemas are of %d Go packages (%s), which need a folder each; %s", len(paths), strings.Join(paths, ", "), mend)
}

func (r request) fault(format string, args ...any) load.Diagnostic {
	return load.Diagnostic{Pos: r.pos, Message: fmt.Sprintf(format, args...)}
}

// commonPath is the longest import path that all the others lie in or below, or "".
func commonPath(paths []string) string {
	if len(paths) == 0 {
		return ""
	}
	common := strings.Split(paths[0], "/")
	for _, p := range paths[1:] {
		n := 0
		for element := range strings.SplitSeq(p, "/") {
			if n == len(common) || common[n] != element {
				break
			}
			n++
		}
		common = common[:n]
	}
	return strings.Join(common, "/")
}
