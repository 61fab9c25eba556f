package compat_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vmihailenco/msgpack/v5"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"pgregory.net/rapid"

	"github.com/coordgen/coordgen/internal/compat"
	"github.com/coordgen/coordgen/internal/convert"
	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/internal/randompb"
)

// TestProof shows by random messages that what check says of the examples is so: in
// each codec and direction, either all messages are read without loss, or one is lost.
// It reads them with package convert, of which a test of package gogen shows that it
// does what generated code does; [TestGeneratedProof] does the same with generated
// code.
func TestProof(t *testing.T) {
	for _, e := range examples(t) {
		t.Run(filepath.Base(e.path), func(t *testing.T) {
			e.prove(t, converter)
		})
	}
}

// converter is the reader of a message of a schema.
func converter(t *testing.T, l loaded, m *model.Message) reader {
	t.Helper()
	c, err := convert.New(m, l.Descriptor(m))
	require.NoError(t, err)
	return c
}

// prove compares what check says of an example with what comes of random messages.
func (e example) prove(t *testing.T, read func(*testing.T, loaded, *model.Message) reader) {
	for _, next := range []loaded{e.fails, e.passes} {
		m := measurement{read: read}
		for i, old := range e.recorded {
			m.between = nil
			for _, l := range e.recorded[i+1:] {
				m.between = append(m.between, l.file())
			}
			m.exchange(t, old, next, false)
			m.exchange(t, next, old, true)
		}
		said := e.check(next)
		var backward, forward compat.Codecs
		for _, f := range said.Findings {
			if !topical(f.Rule) {
				backward |= f.Backward
				forward |= f.Forward
			}
		}
		assert.Equal(t, backward.String(), m.backward.String(), "what new code loses of old messages of %s, measured as:\n%s\nand said as:\n%s", next.name, m.reasons, told(said))
		assert.Equal(t, forward.String(), m.forward.String(), "what old code loses of new messages of %s, measured as:\n%s\nand said as:\n%s", next.name, m.reasons, told(said))
	}
}

// topical says whether a rule is about where messages go, not about what they are.
func topical(rule string) bool {
	return slices.Contains([]string{
		compat.TopicAdded, compat.TopicAddressChanged, compat.TopicPrefixChanged, compat.TopicRemoved, compat.TopicRenamed,
	}, rule)
}

// A measurement is what is lost between versions.
type measurement struct {
	read              func(*testing.T, loaded, *model.Message) reader
	between           []*model.File
	backward, forward compat.Codecs
	reasons           string
}

// exchange has the one schema write messages that the other one reads.
func (m *measurement) exchange(t *testing.T, from, to loaded, forward bool) {
	lost := &m.backward
	if forward {
		lost = &m.forward
	}
	for _, message := range from.file().Messages {
		at := slices.IndexFunc(to.file().Messages, func(n *model.Message) bool { return n.Name == message.Name })
		if at < 0 {
			if !forward && !part(message) {
				*lost |= compat.All
			}
			continue
		}
		other := to.file().Messages[at]
		writer, reader := end{message, m.read(t, from, message)}, end{other, m.read(t, to, other)}
		for codec, name := range codecs() {
			for _, data := range messages(t, from, message, name) {
				c := comparer{codec: name, forward: forward, between: m.between}
				what, err := c.lost(writer, reader, data)
				if err == nil && what != "" {
					*lost |= codec
					m.reasons += fmt.Sprintf("%s from %s to %s in %s: %s, for %q\n", message.Name, from.name, to.name, name, what, data)
					break
				}
			}
		}
	}
}

// part says whether another message has the message in it.
func part(m *model.Message) bool {
	for _, other := range m.File.Messages {
		for _, f := range other.Fields {
			if f.Type.Message == m {
				return true
			}
		}
	}
	return false
}

// samples is how many random messages show that nothing is lost.
const samples = 60

// messages are random ones of a type in a codec, with and without some of their
// fields: another writer than coordgen's code may leave out what has a default.
func messages(t *testing.T, of loaded, m *model.Message, codec string) [][]byte {
	t.Helper()
	c := converter(t, of, m)
	d := of.Descriptor(m)
	draw := rapid.Custom(func(t *rapid.T) protoreflect.ProtoMessage { return randompb.Message(t, d) })
	var all [][]byte
	for seed := range samples {
		data, err := proto.MarshalOptions{AllowPartial: true, Deterministic: true}.Marshal(draw.Example(seed))
		require.NoError(t, err)
		if codec == convert.Protobuf {
			all = append(all, data)
			continue
		}
		written, _, err := c.Convert(data, convert.Protobuf, codec)
		if err != nil {
			continue // without a field that it requires
		}
		all = append(all, written, without(t, written, codec, seed))
	}
	return all
}

// without is a message with one of its keys left out.
func without(t *testing.T, data []byte, codec string, seed int) []byte {
	t.Helper()
	var out []byte
	var err error
	if codec == convert.JSON {
		var fields map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(data, &fields))
		drop(fields, seed)
		out, err = json.Marshal(fields)
	} else {
		var fields map[string]msgpack.RawMessage
		require.NoError(t, msgpack.Unmarshal(data, &fields))
		drop(fields, seed)
		out, err = msgpack.Marshal(fields)
	}
	require.NoError(t, err)
	return out
}

func drop[T any](fields map[string]T, seed int) {
	if keys := slices.Sorted(maps.Keys(fields)); len(keys) > 0 {
		delete(fields, keys[seed%len(keys)])
	}
}
