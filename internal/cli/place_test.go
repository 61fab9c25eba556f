package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCommonPath(t *testing.T) {
	for _, test := range []struct {
		paths []string
		want  string
	}{
		{[]string{"example.com/shop"}, "example.com/shop"},
		{[]string{"example.com/shop", "example.com/shop/orders"}, "example.com/shop"},
		{[]string{"example.com/shop/orders", "example.com/shop/items", "example.com/shop"}, "example.com/shop"},
		{[]string{"example.com/shop", "example.com/shopping"}, "example.com"},
		{[]string{"example.com/shop", "example.org/shop"}, ""},
	} {
		assert.Equal(t, test.want, commonPath(test.paths), "%v", test.paths)
	}
}
