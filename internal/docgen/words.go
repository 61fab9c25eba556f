package docgen

import (
	"strconv"

	"github.com/coordgen/coordgen/internal/model"
)

// fullName is the full protobuf name of a service.
func fullName(s *model.Service) string { return inPackage(s.File, s.Name) }

func inPackage(f *model.File, name string) string {
	if f.Proto == "" {
		return name
	}
	return f.Proto + "." + name
}

// address is a topic's full name on the bus.
func address(s *model.Service, t *model.Topic) string {
	if s.Prefix == "" {
		return t.Name
	}
	return s.Prefix + "." + t.Name
}

// kindName is what people call a kind that is neither an enum nor a message.
func kindName(k model.Kind) string {
	return map[model.Kind]string{
		model.KindBool: "bool", model.KindInt32: "int32", model.KindInt64: "int64", model.KindUint32: "uint32",
		model.KindUint64: "uint64", model.KindFloat32: "float", model.KindFloat64: "double", model.KindString: "string",
		model.KindBytes: "bytes", model.KindTime: "time", model.KindDuration: "duration", model.KindStruct: "any object",
		model.KindValue: "any value", model.KindListValue: "any list",
	}[k]
}

// eventName is an event as the vocabulary spells it, or "".
func eventName(e model.Event) string {
	return map[model.Event]string{model.PeerTimeout: "PEER_TIMEOUT", model.LeaderChange: "LEADER_CHANGE"}[e]
}

// absentValue is the value that an absent field has, as JSON text, or "" where
// absence is a state of its own.
func absentValue(f *model.Field) string {
	value := absent(f)
	if f.Type.Quoted && value != "" && f.Card != model.Repeated {
		return `"` + value + `"`
	}
	return value
}

func absent(f *model.Field) string {
	switch {
	case f.Required || f.Oneof != nil:
		return ""
	case f.Default != "":
		return f.Default
	case f.Card == model.Repeated:
		return "[]"
	case f.Card == model.Mapped:
		return "{}"
	case f.Card == model.Optional:
		return ""
	}
	switch f.Type.Kind {
	case model.KindBool:
		return "false"
	case model.KindInt32, model.KindInt64, model.KindUint32, model.KindUint64, model.KindFloat32, model.KindFloat64:
		return "0"
	case model.KindString, model.KindBytes:
		return `""`
	case model.KindEnum:
		for _, v := range f.Type.Enum.Values {
			if v.Number == 0 {
				return string(jsonText(v.Wire))
			}
		}
		// The digits of a number that has no name.
		return `"0"`
	}
	return ""
}

// versions are the schema versions that have an element.
func versions(since, until int) string {
	switch until {
	case 0:
		return strconv.Itoa(since)
	case since:
		return strconv.Itoa(since) + " only"
	}
	return strconv.Itoa(since) + " to " + strconv.Itoa(until)
}
