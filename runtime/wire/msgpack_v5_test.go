package wire

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vmihailenco/msgpack/v5"
	"pgregory.net/rapid"
)

// A plainBeat is what a program without generated code would write.
type plainBeat struct {
	ID       string    `msgpack:"instance_id"`
	At       time.Time `msgpack:"timestamp"`
	Subs     []string  `msgpack:"subscriptions"`
	InFlight int64     `msgpack:"in_flight_count"`
	Leader   bool      `msgpack:"is_leader"`
	Load     float64   `msgpack:"load_factor"`
}

func (p plainBeat) beat() beat {
	b := beat{ID: p.ID, At: p.At.UTC(), Subs: p.Subs, InFlight: p.InFlight, Leader: p.Leader, Load: p.Load}
	if len(p.Subs) == 0 {
		b.Subs = nil
	}
	return b
}

func anyBeat() *rapid.Generator[plainBeat] {
	return rapid.Custom(func(t *rapid.T) plainBeat {
		return plainBeat{
			ID:       rapid.String().Draw(t, "id"),
			At:       anyTime().Draw(t, "at"),
			Subs:     rapid.SliceOf(rapid.String()).Draw(t, "subs"),
			InFlight: rapid.Int64().Draw(t, "in flight"),
			Leader:   rapid.Bool().Draw(t, "leader"),
			Load:     rapid.Float64().Draw(t, "load"),
		}
	})
}

func anyTime() *rapid.Generator[time.Time] {
	return rapid.Custom(func(t *rapid.T) time.Time {
		sec := rapid.OneOf(rapid.Int64Range(firstSecond, lastSecond), rapid.Int64Range(0, 1<<32), rapid.Int64Range(1<<33, 1<<35)).Draw(t, "sec")
		nsec := rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(0, 999_999_999)).Draw(t, "nsec")
		return time.Unix(sec, nsec).UTC()
	})
}

func TestMsgpackReadsWhatV5Writes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyBeat().Draw(t, "beat")
		var buf bytes.Buffer
		enc := msgpack.NewEncoder(&buf)
		enc.UseCompactInts(rapid.Bool().Draw(t, "compact ints"))
		enc.UseCompactFloats(rapid.Bool().Draw(t, "compact floats"))
		require.NoError(t, enc.Encode(p))
		var got beat
		require.NoError(t, got.UnmarshalMsgpack(buf.Bytes()))
		require.Equal(t, p.beat(), got)
	})
}

func TestMsgpackReadsV5Maps(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("east", 3600))
	for name, n := range map[string]any{
		"int8": int8(7), "int16": int16(7), "int32": int32(7), "int64": int64(7), "int": 7,
		"uint8": uint8(7), "uint16": uint16(7), "uint32": uint32(7), "uint64": uint64(7), "float32": float32(7), "float64": 7.0,
	} {
		data, err := msgpack.Marshal(map[string]any{
			"instance_id": []byte("a"), "timestamp": at, "subscriptions": nil, "in_flight_count": n, "load_factor": n, "is_leader": true,
		})
		require.NoError(t, err)
		var got beat
		require.NoError(t, got.UnmarshalMsgpack(data), name)
		assert.Equal(t, beat{ID: "a", At: at.UTC(), InFlight: 7, Load: 7, Leader: true}, got, name)
		assert.Equal(t, time.UTC, got.At.Location())
	}
}

func TestV5ReadsWhatMsgpackWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyBeat().Draw(t, "beat")
		m := p.beat()
		data, err := m.AppendMsgpack(nil)
		require.NoError(t, err)

		var plain plainBeat
		require.NoError(t, msgpack.Unmarshal(data, &plain))
		require.Equal(t, m, plain.beat())

		var free map[string]any
		require.NoError(t, msgpack.Unmarshal(data, &free))
		require.Len(t, free, 6)
		require.Equal(t, m.ID, free["instance_id"])
		require.True(t, m.At.Equal(free["timestamp"].(time.Time)))
		require.Equal(t, m.Load, free["load_factor"])
	})
}

func TestMsgpackIsByteEqualToV5(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, at := range []time.Time{at, at.Add(1), {}, time.Unix(1<<34, 0), time.Unix(-1, 0)} {
		w := NewMsgpackWriter(nil)
		assert.Equal(t, pack(at), w.Time(nil, at), at)
	}
}

// A holder holds messages in every way that msgpack/v5 knows.
type holder struct {
	Value   beat
	Pointer *beat
	Nil     *beat
	List    []beat
	Refs    []*beat
	Map     map[string]beat
	RefMap  map[string]*beat
	Behind  string
}

func TestV5CarriesMessages(t *testing.T) {
	m := *sampleBeat()
	m.Unknown = Unknown{{"later", Msgpack, pack(map[string]any{"a": []int{1}})}}

	for name, v := range map[string]any{"value": m, "pointer": &m} {
		data, err := msgpack.Marshal(v)
		require.NoError(t, err, name)
		own, err := m.AppendMsgpack(nil)
		require.NoError(t, err)
		assert.Equal(t, own, data, name)
		var got beat
		require.NoError(t, msgpack.Unmarshal(data, &got), name)
		assert.Equal(t, m, got, name)
		var ref *beat
		require.NoError(t, msgpack.Unmarshal(data, &ref), name)
		assert.Equal(t, &m, ref, name)
	}

	want := holder{Value: m, Pointer: &m, List: []beat{m, m}, Refs: []*beat{&m, nil}, Map: map[string]beat{"a": m}, RefMap: map[string]*beat{"b": &m}, Behind: "x"}
	data, err := msgpack.Marshal(&want)
	require.NoError(t, err)
	for name, read := range map[string]func(any) error{
		"whole":   func(v any) error { return msgpack.Unmarshal(data, v) },
		"by byte": func(v any) error { return msgpack.NewDecoder(iotest.OneByteReader(bytes.NewReader(data))).Decode(v) },
	} {
		var got holder
		require.NoError(t, read(&got), name)
		assert.Equal(t, want, got, name)
	}
}

func TestV5StreamsMessages(t *testing.T) {
	var buf bytes.Buffer
	enc := msgpack.NewEncoder(&buf)
	big := *sampleBeat()
	big.ID = strings.Repeat("x", 1<<20)
	for _, m := range []beat{*sampleBeat(), big, *sampleBeat()} {
		require.NoError(t, enc.Encode(&m))
	}
	dec := msgpack.NewDecoder(&buf)
	for _, want := range []beat{*sampleBeat(), big, *sampleBeat()} {
		var m beat
		require.NoError(t, dec.Decode(&m))
		assert.Equal(t, want, m)
	}
	var m beat
	require.Equal(t, io.EOF, m.DecodeMsgpack(dec), "a clean end is told apart")
}

func TestV5BridgeEncodesToAnyWriter(t *testing.T) {
	own, err := sampleBeat().AppendMsgpack(nil)
	require.NoError(t, err)
	var buf bytes.Buffer
	buf.WriteString("before")
	require.NoError(t, msgpack.NewEncoder(struct{ io.Writer }{&buf}).Encode(sampleBeat()), "no more than a writer")
	require.NoError(t, msgpack.NewEncoder(&buf).Encode(sampleBeat()))
	assert.Equal(t, "before"+string(own)+string(own), buf.String())

	buf.Reset()
	err = msgpack.NewEncoder(&buf).Encode(&beat{ID: "\xff"})
	require.ErrorIs(t, err, ErrUTF8)
	assert.Zero(t, buf.Len(), "nothing of a message that failed is written")
}

func TestV5BridgeReportsFaults(t *testing.T) {
	whole, err := sampleBeat().AppendMsgpack(nil)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		data  []byte
		cause error
		path  string
	}{
		"wrong type":          {packMap("instance_id", 1), ErrType, "instance_id"},
		"missing":             {packMap("instance_id", "a"), ErrMissing, "timestamp"},
		"nil":                 {pack(nil), ErrType, ""},
		"no message":          {pack(1), ErrType, ""},
		"cut in text":         {packMap("instance_id", rawBytes("\xb0ab")), ErrTruncated, "instance_id"},
		"cut in a length":     {packMap("instance_id", rawBytes("\xda")), ErrTruncated, "instance_id"},
		"cut at the end":      {whole[:len(whole)-1], ErrTruncated, "load_factor"},
		"c1":                  {packMap("instance_id", rawBytes("\xc1")), ErrSyntax, "instance_id"},
		"deep":                {packMap("x", rawBytes(strings.Repeat("\x91", 200)+"\x90"), "y", 1), ErrDepth, ""},
		"deep, no message":    {[]byte(strings.Repeat("\x91", 200)), ErrDepth, ""},
		"text of 4 GiB":       {packMap("instance_id", rawBytes("\xdb\xff\xff\xff\xffab")), ErrTruncated, "instance_id"},
		"map of 2^32 entries": {[]byte("\xdf\xff\xff\xff\xff\xa1a"), ErrTruncated, ""},
	} {
		var m beat
		err := m.DecodeMsgpack(msgpack.NewDecoder(bytes.NewReader(c.data)))
		require.ErrorIs(t, err, c.cause, name)
		var e *Error
		require.ErrorAs(t, err, &e, name)
		assert.Equal(t, c.path, e.Field, name)
		assert.NotEmpty(t, e.Message, name)
		assert.LessOrEqual(t, e.Offset, len(c.data), name)
	}
}

func TestV5BridgeHandsOnReadErrors(t *testing.T) {
	broken := errors.New("connection reset")
	whole, err := sampleBeat().AppendMsgpack(nil)
	require.NoError(t, err)
	for n := range whole {
		var m beat
		err := m.DecodeMsgpack(msgpack.NewDecoder(io.MultiReader(bytes.NewReader(whole[:n]), iotest.ErrReader(broken))))
		require.ErrorIs(t, err, broken, n)
	}
}

func TestV5BridgeTakesOneValueOnly(t *testing.T) {
	data := append(packMap("instance_id", "a", "timestamp", time.Unix(0, 0), "x", map[string]any{}, "y", []any{}), pack("next")...)
	dec := msgpack.NewDecoder(bytes.NewReader(data))
	var m beat
	require.NoError(t, dec.Decode(&m))
	next, err := dec.DecodeString()
	require.NoError(t, err)
	assert.Equal(t, "next", next)
}

// anyFree draws a free value of the types that reading yields.
func anyFree(depth int) *rapid.Generator[any] {
	leaves := []*rapid.Generator[any]{
		rapid.Just[any](nil),
		rapid.Bool().AsAny(),
		rapid.Int64().AsAny(),
		rapid.Uint64Range(1<<63, math.MaxUint64).AsAny(),
		rapid.Float64().AsAny(),
		rapid.String().AsAny(),
		rapid.SliceOf(rapid.Byte()).AsAny(),
		anyTime().AsAny(),
	}
	if depth == 0 {
		return rapid.OneOf(leaves...)
	}
	return rapid.OneOf(append(leaves,
		rapid.SliceOfN(anyFree(depth-1), 0, 20).AsAny(),
		rapid.MapOfN(rapid.String(), anyFree(depth-1), 0, 20).AsAny())...)
}

func TestMsgpackFreeValuesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyFree(3).Draw(t, "value")
		w := NewMsgpackWriter(nil)
		data := w.Value(nil, v)
		require.NoError(t, w.err)

		r := NewMsgpackReader(data)
		require.Equal(t, v, r.value())
		require.NoError(t, r.close())

		r = NewMsgpackReader(data)
		r.skip()
		require.NoError(t, r.close())

		var theirs any
		require.NoError(t, msgpack.Unmarshal(data, &theirs))
		require.Equal(t, v, asFree(theirs), "v5 reads what we write")

		theirData, err := msgpack.Marshal(v)
		require.NoError(t, err)
		r = NewMsgpackReader(theirData)
		require.Equal(t, v, r.value(), "we read what v5 writes")
		require.NoError(t, r.close())
	})
}

// asFree turns what msgpack/v5 reads into the types that free values have here.
func asFree(v any) any {
	switch v := v.(type) {
	case int8:
		return int64(v)
	case int16:
		return int64(v)
	case int32:
		return int64(v)
	case uint8:
		return int64(v)
	case uint16:
		return int64(v)
	case uint32:
		return int64(v)
	case uint64:
		if v <= math.MaxInt64 {
			return int64(v)
		}
	case float32:
		return float64(v)
	case time.Time:
		return v.UTC()
	case []any:
		for i := range v {
			v[i] = asFree(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = asFree(v[key])
		}
	}
	return v
}
