package vectortest_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/generated/coordination"
	"github.com/coordgen/coordgen/runtime/vector"
	"github.com/coordgen/coordgen/runtime/vector/vectortest"
	"github.com/coordgen/coordgen/runtime/wire"
)

const beat = `{"instance_id":"a","timestamp":"2024-02-29T12:00:00+00:00","subscriptions":[],"in_flight_count":0,"is_leader":false,"load_factor":0.0}`

func payload(f wire.Format, data string) vector.Payload {
	return vector.Payload{Format: f, Data: []byte(data)}
}

// Samples are read, and those of the current version written; exceptions, and formats
// that the code lacks, are passed over.
func TestReads(t *testing.T) {
	h := vectortest.History{Folder: t.TempDir(), Formats: []wire.Format{wire.JSON, wire.Proto}}
	write := func(name string, samples ...vector.Sample) {
		require.NoError(t, os.WriteFile(filepath.Join(h.Folder, name), vector.File{Samples: samples}.Format(), 0o600))
	}
	good := vector.Sample{Name: "good", Payloads: []vector.Payload{
		payload(wire.JSON, beat), payload(wire.Msgpack, "none"), payload(wire.Proto, "\n\x01a\x12\x06\b\xc0\xe3\x81\xaf\x06"),
	}}
	bad := vector.Sample{Name: "bad", Payloads: []vector.Payload{payload(wire.JSON, "{}"), payload(wire.Proto, "\n\x01a\x12\x06\b\xc0\xe3\x81\xaf\x06")}}
	worse := vector.Sample{Name: "worse", Payloads: []vector.Payload{payload(wire.JSON, "{}"), payload(wire.Proto, "")}}
	write("now.txt", good)
	write("then.txt", good, bad, worse)
	vectortest.Write[coordination.HeartbeatMessage](t, h, "now.txt")
	vectortest.Read[coordination.HeartbeatMessage](t, h, "then.txt", "json/bad", "worse")
}

// A file that somebody edited is told from one that "coordgen vectors" wrote.
func TestEdited(t *testing.T) {
	h := vectortest.History{Folder: t.TempDir()}
	text := vector.File{Samples: []vector.Sample{{Name: "good", Payloads: []vector.Payload{payload(wire.JSON, beat)}}}}.Format()
	path := filepath.Join(h.Folder, "a.txt")
	require.NoError(t, os.WriteFile(path, bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")), 0o600))
	_, err := h.Samples("a.txt")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, bytes.Replace(text, []byte("0.0"), []byte("0.5"), 1), 0o600))
	_, err = h.Samples("a.txt")
	require.EqualError(t, err, path+": the file is not as it was made; take it from the version control, or delete it")
}

func TestCheck(t *testing.T) {
	check := vectortest.Check[coordination.HeartbeatMessage, *coordination.HeartbeatMessage]
	sent := payload(wire.JSON, beat)
	assert.NoError(t, check(sent, nil, true))
	assert.ErrorContains(t, check(payload(wire.JSON, "{}"), nil, false), "not read: ")
	assert.ErrorContains(t, check(payload(wire.JSON, beat+" "), nil, true), "written otherwise; ")

	// What only one format has is no difference: fields that the schema lacks.
	more := payload(wire.JSON, beat[:len(beat)-1]+`,"zone":"a"}`)
	proto := payload(wire.Proto, "\n\x01a\x12\x06\b\xc0\xe3\x81\xaf\x06\x78\x01")
	assert.NoError(t, check(more, &proto, true))
	other := payload(wire.Proto, "\n\x01b\x12\x06\b\xc0\xe3\x81\xaf\x06")
	assert.ErrorContains(t, check(sent, &other, false), "not the same as in proto")
}
