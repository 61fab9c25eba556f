package wire

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzJSON reads messages. None makes a reader panic; what is accepted is JSON,
// and is the same after it was written, in msgpack too.
func FuzzJSON(f *testing.F) {
	m := fullKit()
	whole, err := m.AppendJSON(nil)
	require.NoError(f, err)
	f.Add(whole)
	whole, err = sampleBeat().AppendJSON(nil)
	require.NoError(f, err)
	f.Add(whole)
	for _, seed := range []string{
		`{"name":"k","kit":{"name":"in","x":[1,{"a":null}]}}`, `{"title":"k","i32":"7","u64":3e2,"f64":"1e-7","f32":-0.0}`,
		`{"name":"\ud83d\ude80\n","at":"2026-03-04T05:06:07.5+01:00","wait":"-0.000000001s"}`, `{"name":null}`, `{"name":"k","name":"k"}`,
		`{"name":"k","by_u64":{"7":{"name":"in"}},"by_bool":{"true":""}}`, `{"name":"k","free":1e400,"y":-0}`, ` { } `,
		`{"id":"i","timestamp":"0001-01-01T00:00:00Z","subscriptions":["a",""],"load_factor":5e-324,"a":1,"b":[],"c":{}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if m := fuzzJSONMessage[beat](t, data); m != nil {
			fuzzRelay(t, m, &m.Unknown)
		}
		if m := fuzzJSONMessage[kit](t, data); m != nil {
			fuzzRelay(t, m, &m.Unknown)
		}
		fuzzJSONMessage[memo](t, data)
		fuzzJSONSkip(t, data)
	})
}

// fuzzJSONMessage returns the message that data holds, or nil if it holds none.
func fuzzJSONMessage[M any, P interface {
	*M
	AppendJSON(b []byte) ([]byte, error)
	UnmarshalJSON(data []byte) error
}](t *testing.T, data []byte) P {
	var m, again M
	if err := P(&m).UnmarshalJSON(data); err != nil {
		var e *Error
		require.ErrorAs(t, err, &e)
		require.NotEmpty(t, e.Message)
		require.LessOrEqual(t, e.Offset, len(data))
		require.GreaterOrEqual(t, e.Offset, 0)
		return nil
	}
	require.True(t, json.Valid(data))
	written, err := P(&m).AppendJSON(nil)
	if errors.Is(err, ErrMissing) {
		return nil // a kit whose name is there, but empty
	}
	require.NoError(t, err, "what was read can be written")
	require.True(t, json.Valid(written), "%s", written)
	require.NoError(t, P(&again).UnmarshalJSON(written))
	require.Equal(t, &m, &again)
	return &m
}

// fuzzRelay sends a message that was read from JSON through msgpack and back.
func fuzzRelay[M any, P interface {
	*M
	AppendJSON(b []byte) ([]byte, error)
	UnmarshalJSON(data []byte) error
	AppendMsgpack(b []byte) ([]byte, error)
	UnmarshalMsgpack(data []byte) error
}](t *testing.T, m P, unknown *Unknown) {
	packed, err := m.AppendMsgpack(nil)
	if err != nil {
		// A number that msgpack lacks, or an unknown value in which a key is twice.
		require.True(t, errors.Is(err, ErrRange) || errors.Is(err, ErrDuplicate), "%v", err)
		return
	}
	var relayed, back M
	require.NoError(t, P(&relayed).UnmarshalMsgpack(packed))
	text, err := P(&relayed).AppendJSON(nil)
	require.NoError(t, err)
	require.NoError(t, P(&back).UnmarshalJSON(text), "%s", text)
	// What is unknown comes back as the same value, in other words.
	direct, err := m.AppendJSON(nil)
	require.NoError(t, err)
	want, err := value(string(direct))
	require.NoError(t, err, "%s", direct)
	got, err := value(string(text))
	require.NoError(t, err)
	require.Equal(t, want, got)
	if len(*unknown) == 0 {
		require.Equal(t, m, P(&back))
	}
}

// fuzzJSONSkip checks that what is passed over is what would be read.
func fuzzJSONSkip(t *testing.T, data []byte) {
	r := NewJSONReader(data)
	r.skip()
	skip := r.close()
	_, read := value(string(data))
	if errors.Is(read, ErrDuplicate) {
		return // found in free values only, where it matters who reads first
	}
	if skip == nil || read == nil {
		require.NoError(t, errors.Join(skip, read))
		return
	}
	require.Equal(t, errorOffset(t, skip), errorOffset(t, read))
	require.Equal(t, strings.Contains(skip.Error(), "deep"), errors.Is(read, ErrDepth))
}
