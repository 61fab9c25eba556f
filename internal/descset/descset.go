// Package descset makes the sets of descriptors that compilers hand on. It serves
// tests.
package descset

import (
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// Of returns the descriptors of compiled files and of all that they import, each
// behind those that it imports. They are copies: what the compiler keeps looks at
// its own.
func Of[F protoreflect.FileDescriptor](files []F) []*descriptorpb.FileDescriptorProto {
	var all []*descriptorpb.FileDescriptorProto
	seen := map[string]bool{}
	var add func(protoreflect.FileDescriptor)
	add = func(f protoreflect.FileDescriptor) {
		if seen[f.Path()] {
			return
		}
		seen[f.Path()] = true
		for i := range f.Imports().Len() {
			add(f.Imports().Get(i).FileDescriptor)
		}
		all = append(all, proto.CloneOf(protoutil.ProtoFromFileDescriptor(f)))
	}
	for _, f := range files {
		add(f)
	}
	return all
}
