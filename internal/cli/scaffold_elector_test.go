package cli_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/scaffold"
)

var updateElectors = flag.Bool("update-electors", false, "write the files of examples/electors that the command writes")

// The examples, which are tested on real servers, are what the command writes.
func TestElectorExamples(t *testing.T) {
	for _, b := range scaffold.ElectorBackends() {
		if b.Name == "custom" {
			continue // a skeleton passes no test
		}
		t.Run(b.Name, func(t *testing.T) {
			files, err := scaffold.Elector(b.Name, b.Name)
			require.NoError(t, err)
			for _, f := range files {
				path := filepath.Join("../../examples/electors", b.Name, f.Name)
				if *updateElectors {
					require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
					require.NoError(t, os.WriteFile(path, f.Content, 0o600))
				}
				text, err := os.ReadFile(path)
				require.NoError(t, err)
				assert.Equal(t, string(f.Content), string(text), "renew it with -update-electors")
			}
		})
	}
}
