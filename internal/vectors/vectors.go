// Package vectors makes the vectors of a schema: samples of what each version of it
// writes. The same version gives the same samples, on any machine and on any day.
package vectors

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/coordgen/coordgen/internal/convert"
	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/runtime/vector"
	"github.com/coordgen/coordgen/runtime/wire"
)

// Folder is where the vectors of a file are, below the folder of its code.
func Folder(f *model.File) string { return "testdata/vectors/" + f.Base() }

// A Vector is the samples of one message at one version.
type Vector struct {
	Message *model.Message
	// Name is that of the file in the schema's folder, such as "v1/Order.txt".
	Name string
	File vector.File
	// Topics are the full names of those that carry the message.
	Topics []string
}

// Of returns the vectors of a version of a file, for each message that a topic
// carries, or, where there is no topic, for each that stands in no other. Those of a
// message that can't be made, since it requires itself or what nobody knows any more,
// have no samples.
func Of(f *model.File, formats []wire.Format) []Vector {
	var all []Vector
	names := map[string]bool{}
	messages, topics := carried(f)
	for _, m := range messages {
		all = append(all, Vector{
			Message: m,
			Name:    fmt.Sprintf("v%d/%s%s", f.Version, fileName(f, m, names), vector.Extension),
			File:    vector.File{Schema: f.Path, Version: f.Version, Message: m.Name, Samples: samplesOf(m, formats)},
			Topics:  topics[m.Name],
		})
	}
	return all
}

// carried are the messages of which there are vectors, by name, and the full names of
// the topics that carry each.
func carried(f *model.File) (messages []*model.Message, topics map[string][]string) {
	topics = map[string][]string{}
	for _, s := range f.Services {
		for _, c := range s.Fed() {
			if m := c.Input.Message; m != nil {
				messages = append(messages, m)
				topics[m.Name] = append(topics[m.Name], s.Topic(c.Topic))
			}
		}
	}
	if len(messages) == 0 {
		for _, m := range f.Messages {
			if !strings.Contains(ownName(f, m), ".") {
				messages = append(messages, m)
			}
		}
	}
	slices.SortFunc(messages, func(a, b *model.Message) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(messages, func(a, b *model.Message) bool { return a.Name == b.Name }), topics
}

// ownName is the name of a message as the file's protobuf package knows it.
func ownName(f *model.File, m *model.Message) string {
	if f.Proto == "" {
		return m.Name
	}
	return strings.TrimPrefix(m.Name, f.Proto+".")
}

// fileName is a message's name as that of a file, on any disk. It notes the names that
// are taken.
func fileName(f *model.File, m *model.Message, taken map[string]bool) string {
	const longest = 80
	name := ownName(f, m)
	small := strings.ToLower(name)
	first, _, _ := strings.Cut(small, ".")
	if len(name) > longest || taken[small] || isDevice(first) {
		name = fmt.Sprintf("%.*s-%.4x", longest, name, sha256.Sum256([]byte(m.Name)))
	}
	taken[small] = true
	return name
}

// isDevice says whether Windows takes a file of that name, whatever its extension, for
// something else, so that no Go module may have one.
func isDevice(name string) bool {
	if slices.Contains([]string{"con", "prn", "aux", "nul"}, name) {
		return true
	}
	port, isPort := strings.CutPrefix(name, "com")
	if !isPort {
		port, isPort = strings.CutPrefix(name, "lpt")
	}
	return isPort && len(port) == 1 && '0' <= port[0] && port[0] <= '9'
}

// samplesOf are the samples of a message.
func samplesOf(m *model.Message, formats []wire.Format) []vector.Sample {
	if m.File == nil {
		return nil
	}
	c := convert.Recorded(m)
	var all []vector.Sample
	for _, d := range drafts(m) {
		text, err := json.Marshal(d.value)
		if err != nil {
			continue
		}
		s := vector.Sample{Name: d.name}
		for _, format := range formats {
			if data, _, err := c.Convert(text, convert.JSON, codec(format)); err == nil {
				s.Payloads = append(s.Payloads, vector.Payload{Format: format, Data: data})
			}
		}
		if len(s.Payloads) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// codec is what package convert calls a format.
func codec(f wire.Format) string {
	if f == wire.Proto {
		return convert.Protobuf
	}
	return f.String()
}
