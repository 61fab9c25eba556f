package wire

import (
	"iter"
	"slices"
	"strconv"
)

// step prepends the current field of m to the path of a fault.
func (r *ProtoReader) step(m *ProtoMessage) {
	if m.fields == nil || m.Tag == 0 {
		return // no field of a message, or none was begun
	}
	r.within(m.fields.step(m.Tag>>3, r.whole[m.start:m.at], r.indexed))
	r.indexed = false
}

// step is the part of a path that leads to the field of that number, which comes
// behind the fields in before. The index in a list, unless the path has it, is
// found by counting.
func (f *ProtoFields) step(number uint32, before []byte, indexed bool) string {
	i := slices.Index(f.Numbers, int32(number))
	if i < 0 {
		return "." + strconv.Itoa(int(number))
	}
	step := "." + f.Fields.Names[i]
	if indexed || !slices.Contains(f.Lists, i) {
		return step
	}
	n := 0
	for tag := range protoTags(before) {
		if tag>>3 == number {
			n++
		}
	}
	return step + "[" + strconv.Itoa(n) + "]"
}

// protoTags yields the tags of the fields that data holds, and where they begin.
// One that is cut off is the last.
func protoTags(data []byte) iter.Seq2[uint32, int] {
	return func(yield func(uint32, int) bool) {
		r := NewProtoReader(data)
		for r.pos < len(r.data) {
			at := r.pos
			tag, ok := r.readTag()
			if !ok || !yield(tag, at) {
				return
			}
			r.skip(tag)
		}
	}
}

// ProtoNumbers yields the numbers of the fields that raw holds, such as those of an
// unknown field that was read from protobuf.
func ProtoNumbers(raw []byte) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for tag := range protoTags(raw) {
			if !yield(int32(tag >> 3)) {
				return
			}
		}
	}
}
