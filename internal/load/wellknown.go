package load

import (
	"iter"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/coordgen/coordgen/internal/model"
)

// wellKnownGo is the package that has Go code for those of protobuf's own
// messages that are structs like any other, such as google.protobuf.Any. Their
// files name protobuf-go's package, whose types have other methods.
func wellKnownGo() model.GoPackage {
	return model.GoPackage{Path: "github.com/coordgen/coordgen/generated/wellknown", Name: "wellknown"}
}

// WellKnown are the import paths of those of protobuf's own files that schemas use, which
// come with coordgen.
func WellKnown() []string {
	var paths []string
	for _, file := range []string{"any", "duration", "empty", "field_mask", "struct", "timestamp", "wrappers"} {
		paths = append(paths, "google/protobuf/"+file+".proto")
	}
	return paths
}

// isWellKnown says whether a file is one of protobuf's own.
func isWellKnown(f protoreflect.FileDescriptor) bool { return f.Package() == "google.protobuf" }

// kindOf returns the kind of a message that is a plain Go type. Wrapper says that
// it is a scalar whose presence is noted.
func kindOf(m protoreflect.MessageDescriptor) (k model.Kind, wrapper bool) {
	switch m.FullName() {
	case "google.protobuf.Timestamp":
		return model.KindTime, false
	case "google.protobuf.Duration":
		return model.KindDuration, false
	case "google.protobuf.Struct":
		return model.KindStruct, false
	case "google.protobuf.Value":
		return model.KindValue, false
	case "google.protobuf.ListValue":
		return model.KindListValue, false
	case "google.protobuf.DoubleValue":
		return model.KindFloat64, true
	case "google.protobuf.FloatValue":
		return model.KindFloat32, true
	case "google.protobuf.Int64Value":
		return model.KindInt64, true
	case "google.protobuf.UInt64Value":
		return model.KindUint64, true
	case "google.protobuf.Int32Value":
		return model.KindInt32, true
	case "google.protobuf.UInt32Value":
		return model.KindUint32, true
	case "google.protobuf.BoolValue":
		return model.KindBool, true
	case "google.protobuf.StringValue":
		return model.KindString, true
	case "google.protobuf.BytesValue":
		return model.KindBytes, true
	}
	return model.KindMessage, false
}

// hasGoType says whether the message is a plain Go type, so that there is no
// struct for it.
func hasGoType(m protoreflect.MessageDescriptor) bool {
	k, _ := kindOf(m)
	return k != model.KindMessage
}

// usedFiles yields the files of the structs and enums that the file's messages
// and rpcs use.
func (b *builder) usedFiles(f protoreflect.FileDescriptor) iter.Seq[protoreflect.FileDescriptor] {
	return func(yield func(protoreflect.FileDescriptor) bool) {
		uses := func(d protoreflect.Descriptor) bool { return yield(d.ParentFile()) }
		for m := range messages(f) {
			for fd := range all(m.Fields()) {
				if !usesOf(fd, uses) {
					return
				}
			}
		}
		for s := range all(f.Services()) {
			if !b.isNamespace(s) {
				continue
			}
			for rpc := range all(s.Methods()) {
				if in := rpc.Input(); !in.IsPlaceholder() && !hasGoType(in) && !uses(in) {
					return
				}
			}
		}
	}
}

// usesOf calls uses with the struct or enum that a field, or a map's value, has.
// Types whose declaration is not there are left out.
func usesOf(fd protoreflect.FieldDescriptor, uses func(protoreflect.Descriptor) bool) bool {
	if fd.IsMap() {
		fd = fd.MapValue()
	}
	switch {
	case fd.Enum() != nil:
		return fd.Enum().IsPlaceholder() || uses(fd.Enum())
	case fd.Message() != nil:
		return fd.Message().IsPlaceholder() || hasGoType(fd.Message()) || uses(fd.Message())
	}
	return true
}
