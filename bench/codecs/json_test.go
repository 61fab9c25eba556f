package codecs

import (
	"bytes"
	"encoding/json"

	"github.com/bytedance/sonic"
	"github.com/bytedance/sonic/encoder"
	jsonv2 "github.com/go-json-experiment/json"
	goccy "github.com/goccy/go-json"
	"github.com/mailru/easyjson"
	"github.com/mailru/easyjson/jwriter"
)

// jsonTools returns the peers that read and write JSON. Decoding again, all of them
// merge: a field that is absent keeps the value it had, and so do entries of maps.
// Their users can't do it with messages that differ; coordgen's can.
func jsonTools[M any, P structs[M]](m P) []tool {
	var std, v2, fast bytes.Buffer
	stdEncoder, fastEncoder := json.NewEncoder(&std), goccy.NewEncoder(&fast)
	tools := []tool{
		reading(tool{
			name:    "encoding-json",
			encode:  writing(&std, func() error { return stdEncoder.Encode(m) }),
			marshal: func() ([]byte, error) { return json.Marshal(m) },
		}, func(data []byte, m *M) error { return json.Unmarshal(data, m) }),
		reading(tool{
			name:    "json-v2",
			encode:  writing(&v2, func() error { return jsonv2.MarshalWrite(&v2, m) }),
			marshal: func() ([]byte, error) { return jsonv2.Marshal(m) },
		}, func(data []byte, m *M) error { return jsonv2.Unmarshal(data, m) }),
		reading(tool{
			name:    "goccy",
			encode:  writing(&fast, func() error { return fastEncoder.Encode(m) }),
			marshal: func() ([]byte, error) { return goccy.Marshal(m) },
		}, func(data []byte, m *M) error { return goccy.Unmarshal(data, m) }),
		reading(tool{
			name: "easyjson",
			encode: appending(func(b []byte) ([]byte, error) {
				var w jwriter.Writer
				m.MarshalEasyJSON(&w)
				return w.BuildBytes(b)
			}),
			marshal: func() ([]byte, error) { return easyjson.Marshal(m) },
		}, func(data []byte, m *M) error { return easyjson.Unmarshal(data, P(m)) }),
	}
	for _, config := range []struct {
		name    string
		api     sonic.API
		options encoder.Options // as the API has them; it can't append to a buffer
	}{
		{"sonic", sonic.ConfigDefault, 0},
		{"sonic-std", sonic.ConfigStd, encoder.CompatibleWithStd | encoder.ValidateString},
		{"sonic-fastest", sonic.ConfigFastest, encoder.NoValidateJSONMarshaler},
	} {
		var buffer []byte
		tools = append(tools, reading(tool{
			name: config.name,
			encode: func() ([]byte, error) {
				buffer = buffer[:0]
				err := encoder.EncodeInto(&buffer, m, config.options)
				return buffer, err
			},
			marshal: func() ([]byte, error) { return config.api.Marshal(m) },
		}, func(data []byte, m *M) error { return config.api.Unmarshal(data, m) }))
	}
	return tools
}
