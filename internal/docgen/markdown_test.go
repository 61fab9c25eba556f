package docgen_test

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	table "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/coordgen/coordgen/internal/docgen"
)

// Every reference is read by a Markdown parser as it is meant: each link has one
// target, and each table has the rows and cells that were written.
func TestMarkdownIsReadAsItIsMeant(t *testing.T) {
	id := regexp.MustCompile(`<a id="([^"]+)"></a>`)
	for _, s := range append(corpus(t), schema{"hostile", hostile()}) {
		document := generate(t, s.parts, docgen.Options{Format: docgen.Markdown})
		ids := map[string]int{}
		for _, found := range id.FindAllSubmatch(document, -1) {
			ids[string(found[1])]++
		}
		for name, times := range ids {
			assert.Equal(t, 1, times, "%s: anchor %s", s.name, name)
		}

		links, headings, rows, cells := 0, 0, 0, 0
		tree := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(document))
		require.NoError(t, ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if !entering {
				return ast.WalkContinue, nil
			}
			switch n := n.(type) {
			case *ast.Link:
				links++
				assert.Equal(t, 1, ids[strings.TrimPrefix(string(n.Destination), "#")], "%s: link to %s", s.name, n.Destination)
			case *ast.Heading:
				headings++
			case *table.Table:
				rows++ // the rule below the header
			case *table.TableHeader, *table.TableRow:
				rows++
			case *table.TableCell:
				cells++
			}
			return ast.WalkContinue, nil
		}))
		assert.Equal(t, len(ids)+1, headings, "%s: an anchor for each heading but the first", s.name)
		assert.GreaterOrEqual(t, links, len(ids), "%s: the contents", s.name)

		// The parser makes rows as long as their header, so look at the text too.
		lines, bars, header := 0, 0, 0
		for line := range strings.Lines(string(document)) {
			if !strings.HasPrefix(line, "| ") {
				header = 0
				continue
			}
			n := strings.Count(line, "|")
			if header == 0 {
				header = n
			}
			assert.Equal(t, header, n, "%s: %s", s.name, line)
			lines++
			if !strings.HasPrefix(line, "| ---") {
				bars += n - 1
			}
		}
		assert.Equal(t, lines, rows, "%s: rows", s.name)
		assert.Equal(t, bars, cells, "%s: cells", s.name)
	}
}

// A reader of a reference sees the comments as they stand in the schema, whatever
// they hold.
func TestCommentsAreShownAsTheyStand(t *testing.T) {
	parts := hostile()
	var page bytes.Buffer
	require.NoError(t, goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert(
		generate(t, parts, docgen.Options{Format: docgen.Markdown}), &page))
	assert.NotContains(t, page.String(), "<a_id")
	shown := html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page.String(), ""))
	f := parts[0].Schema.Files[1]

	seen := essence(shown, false)
	for _, field := range f.Messages[0].Fields {
		assert.Contains(t, seen, essence(field.Doc.Text, false))
		assert.Contains(t, seen, essence(field.Wire, false))
	}
	// The marks of lists become those of HTML.
	seen = essence(shown, true)
	for _, text := range []string{f.Doc.Text, f.Messages[0].Doc.Text, f.Enums[0].Doc.Text, f.Services[0].Doc.Text} {
		assert.Contains(t, seen, essence(text, true))
	}
}

// essence is a text without white space, and on demand without what marks lists.
func essence(text string, withoutMarks bool) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || withoutMarks && (unicode.IsDigit(r) || strings.ContainsRune("-+*.)", r)) {
			return -1
		}
		return r
	}, text)
}

func TestBlocksKeepTheirShape(t *testing.T) {
	for text, want := range map[string]string{
		"One\ntwo.":                          "<p>One\ntwo.</p>\n",
		"Kinds:\n- a\n- b":                   "<p>Kinds:</p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n",
		"As in:\n\n    x := <a>`|*\n      y": "<p>As in:</p>\n<pre><code>x := &lt;a&gt;`|*\n  y\n</code></pre>\n",
		"Title\n=====":                       "<p>Title\n=====</p>\n",
		"Rule\n---":                          "<p>Rule\n---</p>\n",
		"# no heading":                       "<p># no heading</p>\n",
		"```\nno code\n```":                  "<p>```\nno code\n```</p>\n",
		"<script>&lt;</script>":              "<p>&lt;script&gt;&amp;lt;&lt;/script&gt;</p>\n",
		"<!-- no comment\n<pre":              "<p>&lt;!-- no comment\n&lt;pre</p>\n",
		"[a](b) ![c](d) [e]: f":              "<p>[a](b) ![c](d) [e]: f</p>\n",
		"*a* _b_ __c__ d_e ~~f~~":            "<p>*a* _b_ __c__ d_e ~~f~~</p>\n",
		`\* a \`:                             "<p>\\* a \\</p>\n",
		"| a | b |\n|---|---|":               "<p>| a | b |\n|---|---|</p>\n",
		"\n\n\n":                             "",
	} {
		var page bytes.Buffer
		require.NoError(t, goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(docgen.Block(text)), &page))
		assert.Equal(t, want, page.String(), "%q", text)
	}
}
