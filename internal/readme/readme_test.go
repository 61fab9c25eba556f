// Package readme follows the README as a new user would.
package readme

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/consumer"
)

// files finds the file that a fenced block is said to be.
var files = regexp.MustCompile("(?s)in `([^`]+)`:\n\n```\\w+\n(.*?)```")

// answer finds what the program is said to print.
var answer = regexp.MustCompile("It prints `([^`]+)`")

func TestFiveMinutes(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)

	m := consumer.New(t, "example.com/shop")
	m.AddTool()
	blocks := files.FindAllStringSubmatch(string(readme), -1)
	require.Len(t, blocks, 2, "the README shows a schema and a program")
	for _, block := range blocks {
		m.Write(block[1], []byte(block[2]))
	}
	m.Go("mod", "tidy")
	m.Go("generate")
	m.Go("mod", "tidy")
	printed := answer.FindStringSubmatch(string(readme))
	require.NotNil(t, printed)
	require.Equal(t, printed[1]+"\n", m.Go("run", "."))
}
