package cli

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// A long run tells how far it is, now and then, and leaves no trace of it.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := newProgress(&out)
		p.over = false // as on a terminal
		compiled := p.of("compiled")
		for n := range 40 {
			compiled(n, 40)
			time.Sleep(tick / 2)
		}
		p.of("generated")(1, 9)
		compiled(40, 40)
		p.end()
		p.of("generated")(9, 9)
		want := ""
		for _, n := range []string{"20", "22", "24", "26", "28", "30", "32", "34", "36", "38"} {
			want += "\rcompiled " + n + " of 40 files\x1b[K"
		}
		assert.Equal(t, want+"\rgenerated 1 of 9 files\x1b[K\r\x1b[K", out.String())
	})
}

func TestNoProgressBesideATerminalOrInAShortRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := newProgress(&out)
		time.Sleep(time.Minute)
		p.of("compiled")(1, 9)
		p.end()
		short := newProgress(&out)
		short.over = false
		short.of("compiled")(9, 9)
		short.end()
		assert.Empty(t, out.String())
	})
}
