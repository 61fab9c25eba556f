package cli

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// A run that takes less than patience shows no progress, and one that takes more
// shows it anew after each tick.
const (
	patience = time.Second
	tick     = 100 * time.Millisecond
)

// A progress tells on a terminal how far a long run is, in a line that goes when
// the run ends. Elsewhere it tells nothing.
type progress struct {
	w    io.Writer
	mu   sync.Mutex
	next time.Time // when it next tells
	told bool
	over bool
}

func newProgress(w io.Writer) *progress {
	return &progress{w: w, next: time.Now().Add(patience), over: !isTerminal(w)}
}

// of returns a function that tells that so many files of all are done. It may be
// called from several goroutines, and after the end.
func (p *progress) of(done string) func(n, all int) {
	return func(n, all int) {
		p.mu.Lock()
		defer p.mu.Unlock()
		now := time.Now()
		if p.over || now.Before(p.next) {
			return
		}
		p.next, p.told = now.Add(tick), true
		fmt.Fprintf(p.w, "\r%s %d of %d files\x1b[K", done, n, all)
	}
}

// end removes the line.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	if p.told {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
