package compat_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
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
func (e example) prove(t *testing.T, read readerOf) {
	for _, next := range []loaded{e.fails, e.passes} {
		m := measurement{}
		for i, old := range e.recorded {
			m.between = nil
			for _, l := range e.recorded[i+1:] {
				m.between = append(m.between, l.file())
			}
			m.exchangeAll(t, old, next, false, read)
			m.exchangeAll(t, next, old, true, read)
		}
		m.compare(t, e.check(next), next.name)
	}
}

// topical says whether a rule is about where messages go, not about what they are.
func topical(rule string) bool {
	return slices.Contains([]string{
		compat.TopicAdded, compat.TopicAddressChanged, compat.TopicPrefixChanged, compat.TopicRemoved, compat.TopicRenamed,
	}, rule)
}

// migrating says whether a rule is about what a program's own functions make of messages.
func migrating(rule string) bool {
	return rule == compat.MigrationChanged || rule == compat.MigrationRemoved
}

// A readerOf makes a reader of a message of a schema.
type readerOf func(*testing.T, loaded, *model.Message) reader

// A party is a message of a schema whose random messages others read.
type party struct {
	loaded
	end
	random map[string][][]byte // by codec
}

func newParty(t *testing.T, l loaded, m *model.Message, read readerOf) *party {
	t.Helper()
	p := &party{loaded: l, end: end{m, read(t, l, m)}, random: map[string][][]byte{}}
	for _, codec := range convert.Codecs() {
		p.random[codec] = messages(t, l, m, codec)
	}
	return p
}

// A measurement is what is lost between versions.
type measurement struct {
	between           []*model.File
	backward, forward compat.Codecs
	reasons           string
}

// exchangeAll has each message of one schema read by the other one.
func (m *measurement) exchangeAll(t *testing.T, from, to loaded, forward bool, read readerOf) {
	readers := to.messages()
	for _, message := range from.messages() {
		at := slices.IndexFunc(readers, func(n *model.Message) bool { return n.Name == message.Name })
		switch {
		case at >= 0:
			m.exchange(newParty(t, from, message, read), newParty(t, to, readers[at], read), forward)
		case !forward && !part(message):
			m.backward |= compat.All // nothing reads it
		}
	}
	for topic, sent := range payloads(from) {
		if read := payloads(to)[topic]; read != nil && read.Name != sent.Name {
			m.exchange(newParty(t, from, sent, converter), newParty(t, to, read, converter), forward)
		}
	}
}

// payloads are the messages that topics carry.
func payloads(of loaded) map[string]*model.Message {
	all := map[string]*model.Message{}
	for _, f := range of.files() {
		for _, s := range f.Services {
			for _, c := range s.Fed() {
				all[s.Topic(c.Topic)] = c.Input.Message
			}
		}
	}
	return all
}

// exchange has the one read what the other one writes.
func (m *measurement) exchange(from, to *party, forward bool) {
	lost := &m.backward
	if forward {
		lost = &m.forward
	}
	for codec, name := range codecs() {
		c := comparer{codec: name, forward: forward, between: m.between}
		for _, data := range from.random[name] {
			if what, ok := c.lost(from.end, to.end, data); ok && what != "" {
				*lost |= codec
				m.reasons += fmt.Sprintf("%s from %s to %s in %s: %s, for %q\n", from.message.Name, from.name, to.name, name, what, data)
				break
			}
		}
	}
}

// compare says where a report is not what was measured.
func (m *measurement) compare(t *testing.T, said *compat.Report, about string) {
	t.Helper()
	var backward, forward compat.Codecs
	for _, f := range said.Findings {
		if !topical(f.Rule) && !migrating(f.Rule) {
			backward |= f.Backward
			forward |= f.Forward
		}
	}
	const format = "%s: what %s, measured as:\n%s\nand said as:\n%s"
	assert.Equal(t, backward.String(), m.backward.String(), format, about, "new code loses of old messages", m.reasons, told(said))
	assert.Equal(t, forward.String(), m.forward.String(), format, about, "old code loses of new messages", m.reasons, told(said))
}

// part says whether another message has the message in it, which it does not have
// itself in it.
func part(m *model.Message) bool {
	for _, other := range m.File.Messages {
		if holds(other, m, map[*model.Message]bool{}) && !holds(m, other, map[*model.Message]bool{}) {
			return true
		}
	}
	return false
}

func holds(m, part *model.Message, seen map[*model.Message]bool) bool {
	if m == nil || seen[m] {
		return false
	}
	seen[m] = true
	return slices.ContainsFunc(m.Fields, func(f *model.Field) bool {
		return f.Type.Message == part || holds(f.Type.Message, part, seen)
	})
}

// samples is how many random messages show that nothing is lost.
const samples = 40

// messages are random ones of a type in a codec, with and without some of their
// fields: another writer than coordgen's code may leave out what has a default.
func messages(t *testing.T, of loaded, m *model.Message, codec string) [][]byte {
	t.Helper()
	c := converter(t, of, m)
	d := of.Descriptor(m)
	draw := rapid.Custom(func(t *rapid.T) protoreflect.ProtoMessage { return randompb.Message(t, d) })
	var all [][]byte
	for seed := range samples {
		m := draw.Example(seed)
		data := marshal(t, m)
		if codec == convert.Protobuf {
			fields := m.ProtoReflect().Descriptor().Fields()
			if fields.Len() > 0 {
				m.ProtoReflect().Clear(fields.Get(seed % fields.Len()))
			}
			all = append(all, data, marshal(t, m))
			continue
		}
		written, _, err := c.Convert(data, convert.Protobuf, codec)
		if err != nil {
			continue // without a field that it requires
		}
		all = append(all, written, without(t, written, codec, seed))
		all = append(all, otherNames(t, of, c, data, codec)...)
	}
	return all
}

func marshal(t *testing.T, m proto.Message) []byte {
	t.Helper()
	data, err := proto.MarshalOptions{AllowPartial: true, Deterministic: true}.Marshal(m)
	require.NoError(t, err)
	return data
}

// otherNames are a message with other names of the numbers of its enums' values.
func otherNames(t *testing.T, of loaded, c reader, data []byte, codec string) [][]byte {
	t.Helper()
	text, _, err := c.Convert(data, convert.Protobuf, convert.JSON)
	require.NoError(t, err)
	var all [][]byte
	for _, e := range enums(of) {
		for _, v := range e.Values {
			first := e.Values[slices.IndexFunc(e.Values, func(o *model.EnumValue) bool { return o.Number == v.Number })]
			renamed := bytes.ReplaceAll(text, []byte(strconv.Quote(first.Wire)), []byte(strconv.Quote(v.Wire)))
			if bytes.Equal(renamed, text) {
				continue
			}
			written, _, err := c.Convert(renamed, convert.JSON, codec)
			require.NoError(t, err)
			all = append(all, written)
		}
	}
	return all
}

func enums(of loaded) (all []*model.Enum) {
	for _, f := range of.files() {
		all = append(all, f.Enums...)
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

func codecs() map[compat.Codecs]string {
	return map[compat.Codecs]string{compat.JSON: convert.JSON, compat.Msgpack: convert.Msgpack, compat.Protobuf: convert.Protobuf}
}
