package cli_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/cli"
	"github.com/coordgen/coordgen/internal/consumer"
)

// skeletonStore is a backend within the process.
const skeletonStore = `package election

import (
	"sync"
	"time"
)

type store struct {
	mu  sync.Mutex
	all map[string]*entry
}

type entry struct {
	holder *Elector
	until  time.Time
	term   uint64
}

var shared = &store{all: map[string]*entry{}}

func (s *store) change(election string, f func(r *entry)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.all[election]
	if r == nil {
		r = &entry{}
		s.all[election] = r
	}
	if time.Now().After(r.until) {
		r.holder = nil
	}
	f(r)
}
`

// skeletonSteps fill the skeleton in, in the order in which its test asks for it.
var skeletonSteps = []struct{ file, told, old, new string }{
	{
		"elector_test.go", "TODO(6) in elector_test.go",
		`return nil, errors.New("connect is not written yet: see TODO(6) in elector_test.go")`, `return shared, errors.Join()`,
	},
	{
		"elector.go", "TODO(2) in elector.go",
		`return 0, false, errors.New("take is not written yet: see TODO(2) in elector.go")`, `
	e.client.change(e.config.Election, func(r *entry) {
		if r.holder == nil || r.holder == e {
			r.term++
			r.holder, r.until = e, time.Now().Add(e.config.TTL)
			term, won = r.term, true
		}
	})
	return term, won, nil`,
	},
	{
		"elector.go", "TODO(4) in elector.go",
		`return errors.New("give is not written yet: see TODO(4) in elector.go")`, `
	e.client.change(e.config.Election, func(r *entry) {
		if r.holder == e {
			r.holder = nil
		}
	})
	return nil`,
	},
	{
		"elector.go", "TODO(5) in elector.go",
		`return "", errors.New("who is not written yet: see TODO(5) in elector.go")`, `
	identity := ""
	e.client.change(e.config.Election, func(r *entry) {
		if r.holder != nil {
			identity = r.holder.Identity()
		}
	})
	return identity, nil`,
	},
	{
		"elector.go", "TODO(3) in elector.go",
		`return false, errors.New("extend is not written yet: see TODO(3) in elector.go")`, `
	extended := false
	e.client.change(e.config.Election, func(r *entry) {
		if r.holder == e {
			r.until, extended = time.Now().Add(e.config.TTL), true
		}
	})
	return extended, nil`,
	},
}

// The skeleton compiles, says what is missing, and passes when that is there as its
// comments say.
func TestElectorSkeleton(t *testing.T) {
	m := consumer.New(t, "example.com/app")
	t.Chdir(m.Dir)
	var log bytes.Buffer
	code := cli.Main(t.Context(), []string{"scaffold", "elector", "--backend", "custom", "--out", "election"}, cli.Streams{Out: &log, Err: &log})
	require.Zero(t, code, &log)
	m.Go("mod", "tidy")
	m.Go("vet", "./...")

	replace := func(file, old, with string) {
		text := string(m.Read("election/" + file))
		require.Equal(t, 1, strings.Count(text, old), old)
		m.Write("election/"+file, []byte(strings.Replace(text, old, with, 1)))
	}
	m.Write("election/store.go", []byte(skeletonStore))
	for i, step := range skeletonSteps {
		told := m.Fails("test", "-failfast", "-timeout=60s", "./election")
		assert.Contains(t, told, step.told)
		assert.NotContains(t, told, "panic")
		assert.Less(t, strings.Count(told, "\n"), 60, "nobody reads more: %s", told)
		if i == 0 {
			replace("elector.go", "type Client = any", "type Client = *store")
		}
		replace(step.file, step.old, step.new)
	}
	m.Go("vet", "./...")
	m.Go("test", "./election")
}
