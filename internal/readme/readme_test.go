// Package readme follows the README and the guide as a new user would.
package readme

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
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

// fence finds fenced blocks.
var fence = regexp.MustCompile("(?s)\n```(\\w+)\n(.*?)```\n")

// The commands of the guide work in its order, with the schema changed as it says.
func TestStart(t *testing.T) {
	guide, err := os.ReadFile("../../docs/start.md")
	require.NoError(t, err)
	m := consumer.New(t, "example.com/shop")
	m.AddTool()
	commands := 0
	for _, block := range fence.FindAllStringSubmatch(string(guide), -1) {
		if block[1] == "proto" {
			schema := bytes.Replace(m.Read("orders/schema.proto"), []byte("version: 1"), []byte("version: 2"), 1)
			end := bytes.LastIndexByte(schema, '}')
			m.Write("orders/schema.proto", slices.Concat(schema[:end], []byte(block[2]), schema[end:]))
			continue
		}
		for line := range strings.Lines(block[2]) {
			commands++
			switch words := strings.Fields(line); {
			case strings.HasPrefix(line, "go mod init "), strings.HasPrefix(line, "go get -tool "):
			case strings.Contains(line, " scaffold handler "):
				require.Contains(t, m.Fails(words[1:]...), "HandleOrderShipped(", line)
			default:
				m.Go(words[1:]...)
			}
		}
	}
	require.Equal(t, 15, commands)
	require.Contains(t, string(m.Read("orders/schema_topics.gen.go")), "PublishOrderShipped(")
}
