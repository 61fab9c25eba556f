package load

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

var (
	unknownOption = regexp.MustCompile(`unknown extension coordgen\.(\w+)`)
	unknownPart   = regexp.MustCompile(`option \(coordgen\.(\w+)\).*\bfield (\w+) (?:not found|of coordgen\.\w+ does not exist)`)
	unknownType   = regexp.MustCompile(`unknown (?:request |response )?type \.?(google\.protobuf\.)?(\w+)$`)
	unknownValue  = regexp.MustCompile(`enum coordgen\.(\w+) has no value named (\w+)$`)
	noParentheses = regexp.MustCompile(`option coordgen\.(\w+)\S*: field coordgen of google`)
	rpcAsType     = regexp.MustCompile(`type: (\S+)\.(\w+)\.(\w+) is a method, not a message$`)
	elsewhere     = regexp.MustCompile(`extension coordgen\.\w+ should extend google\.protobuf\.(\w+)Options but`)
	noRequired    = regexp.MustCompile(`label 'required' is not allowed|field required of google\.protobuf\.FieldOptions does not exist$`)
	bareFormer    = regexp.MustCompile(`option \(coordgen\.(?:field|value)\).*: expecting message, got string$`)
	bareDefault   = regexp.MustCompile(`option \(coordgen\.field\).*: expecting string, got (?:integer|double|identifier)$`)
)

// renameOne is the hint at one symbol that is there twice.
const renameOne = "; rename one of them, or move one to another package"

// hint says what to do about a fault that the compiler found, or "".
func hint(text string) string {
	if m := unknownOption.FindStringSubmatch(text); m != nil {
		if slices.Contains(vocabularyOptions(), m[1]) {
			return fmt.Sprintf("; add import %q", vocabularyPath)
		}
		return meant("coordgen.", m[1], vocabularyOptions())
	}
	if strings.Contains(text, alreadyDefined) {
		return renameOne
	}
	if m := unknownPart.FindStringSubmatch(text); m != nil {
		return meant("", m[2], vocabularyParts(m[1]))
	}
	if m := unknownType.FindStringSubmatch(text); m != nil {
		if m[1] == "" {
			return scalar(m[2])
		}
		if file := wellKnownFile(m[2]); file != "" {
			return fmt.Sprintf("; add import \"google/protobuf/%s.proto\"", file)
		}
	}
	if m := unknownValue.FindStringSubmatch(text); m != nil {
		return meant("", m[2], vocabularyValues(m[1]))
	}
	if m := noParentheses.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("; write (coordgen.%s), with parentheses", m[1])
	}
	if m := rpcAsType.FindStringSubmatch(text); m != nil && m[2] != m[3] {
		return fmt.Sprintf("; rename the rpc, or write .%s.%s for a message of the package", m[1], m[3])
	}
	if m := elsewhere.FindStringSubmatch(text); m != nil {
		if option := optionOf(m[1]); option != "" {
			return fmt.Sprintf("; here it is (coordgen.%s)", option)
		}
	}
	if noRequired.MatchString(text) {
		return "; write [(coordgen.field).required = true]"
	}
	if bareFormer.MatchString(text) {
		return `; a former name is such as { name: "body", until: 1 }, and a waiver such as { rule: "FIELD_RENAMED", reason: "nothing sends it yet" }`
	}
	if bareDefault.MatchString(text) {
		return "; a string has quotes, and a default is JSON text in them, such as \"3\", \"true\" or \"\\\"eu\\\"\""
	}
	return ""
}

// scalar suggests the scalar type for what other languages call it, or one that
// is spelt nearly so.
func scalar(written string) string {
	switch written {
	case "int":
		return "; did you mean int32 or int64?"
	case "uint":
		return "; did you mean uint32 or uint64?"
	case "long":
		return "; did you mean int64?"
	}
	if written[0] < 'a' || written[0] > 'z' {
		return ""
	}
	return meant("", written, []string{
		"bool", "string", "bytes", "float", "double", "int32", "int64", "uint32", "uint64",
		"sint32", "sint64", "fixed32", "fixed64", "sfixed32", "sfixed64",
	})
}

// wellKnownFile is the file of protobuf's own that has the message.
func wellKnownFile(name string) string {
	switch name {
	case "Timestamp", "Duration", "Any", "Empty":
		return strings.ToLower(name)
	case "FieldMask":
		return "field_mask"
	case "Struct", "Value", "ListValue", "NullValue":
		return "struct"
	}
	if strings.HasSuffix(name, "Value") {
		return "wrappers"
	}
	return ""
}

// optionOf is the option of coordgen's for what has protobuf's options of that name, or
// "" where there is none or more than one.
func optionOf(protobuf string) string {
	return map[string]string{"File": "schema", "Message": "message", "Field": "field", "EnumValue": "value", "Service": "namespace"}[protobuf]
}

// meant suggests the name that is nearest to what was written, if one is near, or one
// whose first word was written.
func meant(prefix, written string, names []string) string {
	best := Nearest(written, names)
	if first := slices.IndexFunc(names, func(name string) bool { return strings.HasPrefix(name, written+"_") }); best == "" && first >= 0 {
		best = names[first]
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s%s?", prefix, best)
}

// Nearest returns the name that is nearest to what was written, or "" if none is
// near.
func Nearest(written string, names []string) string {
	best, least := "", 3
	for _, name := range names {
		if d := distance(written, name); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance is the number of letters to insert, delete or replace to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			corner, row[j+1] = row[j+1], min(corner+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// vocabularyValues are the names of an enum's values.
func vocabularyValues(enum string) []string {
	v, err := builtin()
	if err != nil {
		return nil
	}
	e := v.field.message.ParentFile().Enums().ByName(protoreflect.Name(enum))
	if e == nil {
		return nil
	}
	var names []string
	for value := range all(e.Values()) {
		names = append(names, string(value.Name()))
	}
	return names
}

// vocabularyOptions are the names of the options.
func vocabularyOptions() []string {
	return []string{"schema", "message", "field", "value", "namespace", "topic", "callback"}
}

// vocabularyParts are the names of what an option can say.
func vocabularyParts(option string) []string {
	v, err := builtin()
	if err != nil {
		return nil
	}
	of := map[string]extension{
		"schema": v.schema, "message": v.message, "field": v.field, "value": v.value,
		"namespace": v.namespace, "topic": v.topic, "callback": v.callback,
	}
	x, ok := of[option]
	if !ok {
		return nil
	}
	var names []string
	for f := range all(x.message.Fields()) {
		names = append(names, string(f.Name()))
	}
	return names
}
