package codecs

import (
	"bytes"

	"github.com/vmihailenco/msgpack/v5"
)

// msgpackTools returns the peers that read and write msgpack. Decoding again,
// msgpack/v5 merges, as the JSON peers do; msgp clears what is absent, as it is
// told to in package plain.
func msgpackTools[M any, P structs[M]](m P) []tool {
	return []tool{
		reading(tool{
			name:    "msgp",
			encode:  appending(m.MarshalMsg),
			marshal: func() ([]byte, error) { return m.MarshalMsg(nil) },
		}, func(data []byte, m *M) error {
			_, err := P(m).UnmarshalMsg(data)
			return err
		}),
		msgpackV5("msgpack-v5", m),
	}
}

// msgpackV5 returns msgpack/v5, which goes by reflection, or by the methods that a
// message has for it.
func msgpackV5[M any](name string, m *M) tool {
	var buffer bytes.Buffer
	encoder := msgpack.NewEncoder(&buffer)
	return reading(tool{
		name:    name,
		encode:  writing(&buffer, func() error { return encoder.Encode(m) }),
		marshal: func() ([]byte, error) { return msgpack.Marshal(m) },
	}, func(data []byte, m *M) error { return msgpack.Unmarshal(data, m) })
}
