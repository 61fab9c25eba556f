package wire

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestTimesThatAreRead(t *testing.T) {
	for text, want := range map[string]time.Time{
		"2026-07-27T09:30:15Z":                time.Date(2026, 7, 27, 9, 30, 15, 0, time.UTC),
		"2026-07-27T09:30:15+00:00":           time.Date(2026, 7, 27, 9, 30, 15, 0, time.UTC),
		"2026-07-27T09:30:15-00:00":           time.Date(2026, 7, 27, 9, 30, 15, 0, time.UTC),
		"2026-07-27T11:30:15+02:00":           time.Date(2026, 7, 27, 9, 30, 15, 0, time.UTC),
		"2026-07-27T00:00:00.1-23:59":         time.Date(2026, 7, 27, 23, 59, 0, 100_000_000, time.UTC),
		"2026-07-27T09:30:15.123456789Z":      time.Date(2026, 7, 27, 9, 30, 15, 123456789, time.UTC),
		"2024-02-29T23:59:59.000001Z":         time.Date(2024, 2, 29, 23, 59, 59, 1000, time.UTC),
		"2000-02-29T00:00:00Z":                time.Date(2000, 2, 29, 0, 0, 0, 0, time.UTC),
		"0001-01-01T00:00:00Z":                {},
		"9999-12-31T23:59:59.999999999+00:00": time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC),
	} {
		got, err := parseTime([]byte(text))
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
		assert.Equal(t, time.UTC, got.Location(), text)
	}
}

func TestTimesThatAreRefused(t *testing.T) {
	for _, text := range []string{
		"", "yesterday", "2026-07-27", "2026-07-27T09:30:15", "2026-07-27T09:30:15.5", "2026-07-27T09:30Z", "2026-07-27 09:30:15Z",
		"2026-07-27t09:30:15Z", "2026-07-27T09:30:15z", "2026-07-27T9:30:15Z", "2026-07-27T09:30:15,5Z", "2026-07-27T09:30:15.Z",
		"2026-07-27T09:30:15.1234567890Z", "2026-07-27T09:30:15+2:00", "2026-07-27T09:30:15+0200", "2026-07-27T09:30:15+24:00",
		"2026-07-27T09:30:15+00:60", "2026-07-27T24:00:00Z", "2026-07-27T23:60:00Z", "2026-06-30T23:59:60Z", "2026-02-29T00:00:00Z",
		"1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
		"20260727T093015Z", "+2026-07-27T09:30:15Z", "2026-07-27T09:30:15Zx", " 2026-07-27T09:30:15Z", "2026-07-27T09:30:15UTC",
		"２026-07-27T09:30:15Z", "-026-07-27T09:30:15Z", "2026-0a-27T09:30:15Z", "2026-07-27T09:3b:15Z",
		strings.Repeat("2026-07-27T09:30:15Z", 1000),
	} {
		_, err := parseTime([]byte(text))
		require.ErrorIs(t, err, ErrValue, text)
		assert.Less(t, len(err.Error()), 300, text)
	}
	for _, text := range []string{"0000-12-31T23:59:59Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01"} {
		_, err := parseTime([]byte(text))
		assert.ErrorIs(t, err, ErrRange, text)
	}
	_, err := parseTime([]byte("2026-07-27T09:30:15"))
	assert.ErrorContains(t, err, "has no offset from UTC")
}

func TestTimesThatAreWritten(t *testing.T) {
	for want, at := range map[string]time.Time{
		"2026-07-27T09:30:15+00:00":           time.Date(2026, 7, 27, 11, 30, 15, 0, time.FixedZone("", 7200)),
		"2026-07-27T09:30:15.120000+00:00":    time.Date(2026, 7, 27, 9, 30, 15, 120_000_000, time.UTC),
		"2026-07-27T09:30:15.000001+00:00":    time.Date(2026, 7, 27, 9, 30, 15, 1000, time.UTC),
		"2026-07-27T09:30:15.000000001+00:00": time.Date(2026, 7, 27, 9, 30, 15, 1, time.UTC),
		"0001-01-01T00:00:00+00:00":           {},
	} {
		w := NewJSONWriter(nil)
		got, err := w.Close(w.Time(nil, at), "test.M")
		require.NoError(t, err)
		assert.Equal(t, `"`+want+`"`, string(got))
	}
	for _, at := range []time.Time{time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(0, 12, 31, 0, 0, 0, 0, time.UTC)} {
		w := NewJSONWriter(nil)
		_, err := w.Close(w.Time(nil, at), "test.M")
		assert.ErrorIs(t, err, ErrRange)
	}
}

// A time comes back as it was, and the standard library reads it the same.
// Every day is where the standard library has it.
func TestDaysThatAreWritten(t *testing.T) {
	var w JSONWriter
	var got, want []byte
	day := time.Date(1, 1, 1, 23, 59, 58, 0, time.UTC)
	for ; day.Year() < 10_000; day = day.AddDate(0, 0, 1) {
		got = w.Time(got[:0], day)
		want = day.AppendFormat(want[:0], `"2006-01-02T15:04:05+00:00"`)
		if !bytes.Equal(got, want) {
			require.Equal(t, string(want), string(got))
		}
	}
}

func TestTimesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(firstSecond, lastSecond).Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanoseconds")).UTC()
		text := new(JSONWriter).Time(nil, at)
		text = text[1 : len(text)-1] // without its quotes
		got, err := parseTime(text)
		require.NoError(t, err)
		require.Equal(t, at, got)
		peer, err := time.Parse(time.RFC3339Nano, string(text))
		require.NoError(t, err)
		require.True(t, peer.Equal(at))
	})
}

// What parseTime accepts, the standard library accepts too, and as the same time.
func FuzzTime(f *testing.F) {
	f.Add([]byte("2026-07-27T09:30:15.123456+02:00"))
	f.Add([]byte("2024-02-29T23:59:59Z"))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := parseTime(text)
		if err != nil {
			return
		}
		want, err := time.Parse(time.RFC3339Nano, string(text))
		require.NoError(t, err)
		require.True(t, got.Equal(want), "%s: %v, want %v", text, got, want)
	})
}

func TestDurations(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0s": 0, "-0s": 0, "1s": time.Second, "1.5s": 1500 * time.Millisecond, "-1.5s": -1500 * time.Millisecond, "0.000000001s": 1,
		"-0.5s": -500 * time.Millisecond, "9223372036.854775807s": 1<<63 - 1, "-9223372036.854775808s": -1 << 63, "007s": 7 * time.Second,
	} {
		got, err := parseDuration([]byte(text))
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for text, want := range map[string]error{
		"": ErrValue, "s": ErrValue, "1": ErrValue, "1m": ErrValue, ".5s": ErrValue, "1.s": ErrValue, "1.0000000001s": ErrValue, "+1s": ErrValue,
		"--1s": ErrValue, "1 s": ErrValue, "1,5s": ErrValue, "1e3s": ErrValue, "-s": ErrValue, "1.-5s": ErrValue,
		"9223372036.854775808s": ErrRange, "-9223372036.854775809s": ErrRange, "99999999999999999999999s": ErrRange, "9223372037s": ErrRange,
	} {
		_, err := parseDuration([]byte(text))
		assert.ErrorIs(t, err, want, text)
	}
	for want, d := range map[string]time.Duration{
		"0s": 0, "3s": 3 * time.Second, "1.500s": 1500 * time.Millisecond, "0.000001s": time.Microsecond, "-0.000000001s": -1,
	} {
		assert.Equal(t, want, string(appendDuration(nil, d)))
	}
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64().Draw(t, "d"))
		got, err := parseDuration(appendDuration(nil, d))
		require.NoError(t, err)
		require.Equal(t, d, got)
	})
}
