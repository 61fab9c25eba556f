//go:build unix

package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An interrupt ends a run that waits for something that may never come: here a
// schema whose writer has opened it and writes nothing.
func TestMainInterruptedWhileReading(t *testing.T) {
	root := t.TempDir()
	t.Chdir(root)
	require.NoError(t, syscall.Mkfifo("orders.proto", 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	code := make(chan int, 1)
	go func() {
		code <- Main(ctx, []string{"generate", "orders.proto"}, Streams{Out: io.Discard, Err: io.Discard})
	}()
	// It opens once the run reads it.
	writer, err := os.OpenFile(filepath.Join(root, "orders.proto"), os.O_WRONLY, 0)
	require.NoError(t, err)
	defer writer.Close()

	cancel()
	select {
	case got := <-code:
		assert.Equal(t, exitFault, got)
	case <-time.After(10 * time.Second):
		t.Fatal("the run does not end")
	}
}
