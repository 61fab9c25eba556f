package prototest_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/prototest"
)

// array is the header of a list of n elements.
func array(n int) string { return string(binary.BigEndian.AppendUint32([]byte{0xdd}, uint32(n))) }

// Lists are given room for what their headers claim before it is read. All that is
// claimed and not there takes no more than an input may, which is a mebibyte and 64
// times its bytes; what is there, and grows from list to list, some times that. The
// race detector doubles it.
func TestRoomOfLists(t *testing.T) {
	const size = 1 << 18
	list := func(n int) string { return "\x81\xa7r_kinds" + array(n) }
	nested := strings.Repeat(list(size/41), 40) // levels, each of which claims its part of the rest
	for name, test := range map[string]struct {
		data  string
		times int
	}{
		"one list that ends at once":   {list(size) + strings.Repeat("\xc1", size), 3},
		"one list that ends late":      {list(size) + strings.Repeat("\x80", size-1) + "\xc1", 3},
		"lists in lists":               {nested + strings.Repeat("\xc1", size), 3},
		"lists in lists that end late": {nested + strings.Repeat("\x80", size/2) + strings.Repeat("\xc1", size/2), 12},
		"a list in each of many":       {list(size/100) + strings.Repeat(list(80)+strings.Repeat("\x80", 80), size/100), 6},
		"strings":                      {"\x81\xa8r_string" + array(size) + strings.Repeat("\xa0", size-1) + "\xc1", 3},
	} {
		var m prototest.Kinds
		var err error
		bytes := allocated(func() { err = m.UnmarshalMsgpack([]byte(test.data)) })
		require.Error(t, err, name)
		assert.Less(t, bytes, test.times*(1<<20+64*len(test.data)), name)
	}
}
