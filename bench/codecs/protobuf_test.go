package codecs

import (
	"slices"

	"google.golang.org/protobuf/proto"
)

// protobufTools returns the peers that read and write protobuf. The unsafe one's
// texts are parts of its input, which must not change while the message lives.
func protobufTools[M any, P protos[M]](m P) []tool {
	vt := tool{
		name: "vtprotobuf",
		encode: appending(func(b []byte) ([]byte, error) {
			size := m.SizeVT()
			b = slices.Grow(b, size)[:size]
			_, err := m.MarshalToSizedBufferVT(b)
			return b, err
		}),
		marshal: m.MarshalVT,
	}
	unsafe := tool{name: "vtprotobuf-unsafe", encode: vt.encode, marshal: vt.marshal}
	return []tool{
		reading(tool{
			name:    "protobuf-go",
			encode:  appending(func(b []byte) ([]byte, error) { return proto.MarshalOptions{}.MarshalAppend(b, m) }),
			marshal: func() ([]byte, error) { return proto.Marshal(m) },
		}, func(data []byte, m *M) error { return proto.Unmarshal(data, P(m)) }),
		rereading(vt,
			func(data []byte, m *M) error { return P(m).UnmarshalVT(data) },
			func(data []byte, m *M) error {
				P(m).ResetVT()
				return P(m).UnmarshalVT(data)
			}),
		rereading(unsafe,
			func(data []byte, m *M) error { return P(m).UnmarshalVTUnsafe(data) },
			func(data []byte, m *M) error {
				P(m).ResetVT()
				return P(m).UnmarshalVTUnsafe(data)
			}),
	}
}
