package wire

import "bytes"

// A keySet finds keys that are there twice, in linear time. Few keys cost no
// allocation.
type keySet struct {
	few  [8][]byte // searched one by one
	n    int
	many map[string]struct{}
}

// add says whether the key is new. It keeps the key, which must not change.
func (k *keySet) add(key []byte) bool {
	if k.many == nil {
		for _, there := range k.few[:k.n] {
			if bytes.Equal(there, key) {
				return false
			}
		}
		if k.n < len(k.few) {
			k.few[k.n] = key
			k.n++
			return true
		}
		k.many = make(map[string]struct{}, 4*k.n)
		for _, there := range k.few {
			k.many[string(there)] = struct{}{}
		}
	}
	if _, there := k.many[string(key)]; there {
		return false
	}
	k.many[string(key)] = struct{}{}
	return true
}

// A bitSet is a set of small numbers.
type bitSet []uint64

// add says whether i is new.
func (s *bitSet) add(i int) bool {
	for len(*s) <= i/64 {
		*s = append(*s, 0)
	}
	word, bit := &(*s)[i/64], uint64(1)<<(i%64)
	fresh := *word&bit == 0
	*word |= bit
	return fresh
}

func (s bitSet) has(i int) bool { return i/64 < len(s) && s[i/64]&(1<<(i%64)) != 0 }
