package layout_test

import (
	"bytes"
	"go/build"
	"go/format"
	"go/scanner"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/layout"
)

// Each function of the standard library that Functions takes, as it is and with its
// spaces changed, comes out as gofmt lays it out. A quarter of the files will do.
func TestAgreesWithGofmt(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	taken, all := 0, 0
	root := filepath.Join(build.Default.GOROOT, "src")
	require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == "testdata" {
			return fs.SkipDir
		}
		if filepath.Ext(name) != ".go" || random.IntN(4) > 0 {
			return nil
		}
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, function := range functions(text) {
			all++
			for _, src := range [][]byte{[]byte(function), bytes.TrimLeft(respaced([]byte(function), random), " ")} {
				got, ok := layout.Function(src)
				want, err := format.Source(src)
				if !ok || err != nil { // some are templates of code
					continue
				}
				taken++
				if !assert.Equal(t, string(want), string(got), "%s", name) {
					return fs.SkipAll
				}
			}
		}
		return nil
	}))
	t.Logf("%d functions, %d taken", all, taken)
	require.Greater(t, taken, all/10)
}

// functions returns the functions in a file.
func functions(text []byte) []string {
	var all []string
	var now strings.Builder
	for l := range strings.Lines(string(text)) {
		if strings.HasPrefix(l, "func ") || now.Len() > 0 {
			now.WriteString(l)
		}
		if l == "}\n" && now.Len() > 0 {
			all = append(all, now.String())
			now.Reset()
		}
	}
	return all
}

// respaced changes the space between the tokens of a file: each gets some or, where
// it may, none. Lines stay.
func respaced(src []byte, random *rand.Rand) []byte {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(src)), src, nil, scanner.ScanComments)
	var b bytes.Buffer
	end := 0
	word := false
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			b.WriteByte('\n')
			return b.Bytes()
		}
		if tok == token.SEMICOLON && text == "\n" {
			continue
		}
		if text == "" {
			text = tok.String()
		}
		at := int(pos) - 1
		b.WriteString(strings.Repeat("\n", bytes.Count(src[end:at], []byte("\n"))))
		isWord := tok == token.IDENT || tok.IsKeyword() || tok.IsLiteral()
		if word && isWord || end < at || random.IntN(2) == 0 {
			b.WriteString(strings.Repeat(" ", 1+random.IntN(2)))
		}
		b.WriteString(text)
		end, word = at+len(text), isWord
	}
}

// What Source makes of a declaration, gofmt leaves as it is.
func TestGofmtChangesNothing(t *testing.T) {
	src := []byte(`package p

// Sections are of two kinds:
//
// 1.  **Some** are of the first kind
// and go on here.
//     They have a text of their own:
//     *   one
//     *   two
//
// 2.  **Others** are of the second
//     kind.
type Section struct { A, Long int // of it
B string}
`)
	got, err := layout.Source(src)
	require.NoError(t, err)
	want, err := format.Source(got)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}
