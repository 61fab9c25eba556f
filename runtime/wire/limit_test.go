package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Empty messages take one byte each in msgpack and three in JSON, and far more in
// memory.
func TestListsOfEmptyMessagesAreBounded(t *testing.T) {
	const n = 1 << 22
	list := Fields{Message: "test.List", Names: []string{"all"}, Size: 48}
	element := Fields{Message: "test.Element", Size: 440}
	packed := []byte("\x81\xa3all\xdd\x00\x40\x00\x00" + strings.Repeat("\x80", n))
	type large [440]byte

	var all []large
	r := NewMsgpackReader(packed)
	used := allocated(func() {
		for o := r.place(&list); r.nextField(&o); {
			for l := r.array(); r.more(&l); {
				for o := r.place(&element); r.nextField(&o); {
				}
				all = append(all, large{})
			}
		}
	})
	require.ErrorIs(t, r.close(), ErrTooLarge)
	assert.Less(t, used, uint64(6*memoryFactor*len(packed)), "what growing a list costs is included")

	text := []byte(`{"all":[` + strings.Repeat("{},", n/4) + `{}]}`)
	j := NewJSONReader(text)
	for o := j.place(&list); j.nextField(&o); {
		for l := j.array(); j.more(&l); {
			for o := j.place(&element); j.nextField(&o); {
			}
		}
	}
	require.ErrorIs(t, j.close(), ErrTooLarge)

	// A small message may hold many.
	j = NewJSONReader([]byte(`{"all":[` + strings.Repeat("{},", 2000) + `{}]}`))
	for o := j.place(&list); j.nextField(&o); {
		for l := j.array(); j.more(&l); {
			for o := j.place(&element); j.nextField(&o); {
			}
		}
	}
	require.NoError(t, j.close())
}

func TestUnknownFieldsOfAProgramDoNotClash(t *testing.T) {
	fields := Fields{Message: "test.M", Names: []string{"known"}, Aliases: []Alias{{"old", 0}}}
	many := make(Unknown, 20)
	for i := range many {
		many[i] = UnknownField{Key: strings.Repeat("k", i+1), Raw: []byte("1")}
	}
	for name, c := range map[string]struct {
		u    Unknown
		want string
	}{
		"known":         {Unknown{{Key: "known", Raw: []byte("1")}}, "known"},
		"alias":         {Unknown{{Key: "old", Raw: []byte("1")}}, "old"},
		"twice":         {Unknown{{Key: "x", Raw: []byte("1")}, {Key: "x", Raw: []byte("1")}}, "x"},
		"twice of many": {append(many[:20:20], many[3]), "kkkk"},
		"fine":          {many, ""},
	} {
		w, m := NewJSONWriter(nil), NewMsgpackWriter(nil)
		_, errJSON := w.Close(w.CloseObject([]byte("{"), c.u, &fields), "test.M")
		_, errMsgpack := m.Close(m.Unknown(m.MapHeader(nil, len(c.u)), c.u, &fields), "test.M")
		for _, err := range []error{errJSON, errMsgpack} {
			if c.want == "" {
				require.NoError(t, err, name)
				continue
			}
			require.ErrorIs(t, err, ErrDuplicate, name)
			var e *Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, c.want, e.Field, name)
		}
	}
}
