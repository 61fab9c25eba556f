package lock

import (
	"go/token"
	"strconv"
	"strings"

	"github.com/coordgen/coordgen/internal/model"
)

// The kinds of elements.
const (
	kindSchema    = "schema"
	kindImport    = "import"
	kindMessage   = "message"
	kindField     = "field"
	kindOneof     = "oneof"
	kindMigration = "migration"
	kindEnum      = "enum"
	kindValue     = "value"
	kindService   = "service"
	kindCallback  = "callback"
)

// The labels of fields that don't hold a single value.
const (
	optional = "optional"
	repeated = "repeated"
)

// second marks a value of an enum whose number another one has that is written for it.
const second = "second"

// reversible marks a migration that can be taken back.
const reversible = "reversible"

// A type that is a message or an enum has its kind before its name.
const (
	messageType = "message:"
	enumType    = "enum:"
)

// isFlag says whether a fact has no value.
func isFlag(key string) bool {
	switch key {
	case removed, "drop", "protojson", optional, repeated, "required", "quoted", "delimited", "presence", second, reversible:
		return true
	}
	return false
}

// keys are the facts that entries of a kind may have.
func keys(kind string) []string {
	switch kind {
	case kindSchema:
		return []string{"drop", "protojson"}
	case kindImport:
		return []string{"version"}
	case kindMessage:
		return []string{"go", "role", "reserved"}
	case kindField:
		return []string{
			"number", "type", optional, repeated, "map", "key", "alias", "go", "oneof", "member", "required", "default",
			"quoted", "delimited", "presence", "role", "since", "until",
		}
	case kindOneof:
		return []string{"go", "interface"}
	case kindMigration:
		return []string{"version", reversible}
	case kindEnum:
		return []string{"go", "reserved"}
	case kindValue:
		return []string{"number", second, "key", "alias", "go", "since", "until"}
	case kindService:
		return []string{"prefix"}
	case kindCallback:
		return []string{"input", "topic", "addressed_by", "const", "func", "since", "until"}
	}
	return nil
}

// isList says whether an entry may have several facts with that key.
func isList(key string) bool { return key == "alias" || key == "reserved" }

// needs are the facts that an entry can't be without.
func needs(e entry) []string {
	if e.removed() {
		return nil
	}
	switch e.kind {
	case kindImport, kindMigration:
		return []string{"version"}
	case kindMessage, kindEnum:
		return []string{"go"}
	case kindField:
		if e.has("oneof") || e.has("member") {
			return []string{"number", "type", "key", "go", "oneof", "member"}
		}
		return []string{"number", "type", "key", "go"}
	case kindOneof:
		return []string{"go", "interface"}
	case kindValue:
		return []string{"number", "key", "go"}
	case kindCallback:
		if e.has("topic") || e.has("addressed_by") || e.has("const") {
			return []string{"input", "func", "topic", "const"}
		}
		return []string{"input", "func"}
	}
	return nil
}

// badFact says what is wrong with a fact, or "".
func badFact(f fact) string {
	switch f.key {
	case "number":
		if _, err := strconv.ParseInt(f.value, 10, 32); err != nil {
			return "is no number"
		}
	case "since", "until", "version":
		if n, err := strconv.Atoi(f.value); err != nil || n < 1 {
			return "is no version"
		}
	case "reserved":
		if _, ok := parseRange(f.value); !ok && strings.ContainsAny(f.value[:min(1, len(f.value))], "-0123456789") {
			return "is no number, no range such as 2:5, and no name"
		}
	case "type", "input", "map":
		if _, ok := parseType(f.value); !ok {
			return "is no type"
		}
	case "go", "member", "interface", "func", "const":
		if !token.IsIdentifier(f.value) || !token.IsExported(f.value) {
			return "is no exported Go name"
		}
	}
	return ""
}

// typeText is a type as a lock has it.
func typeText(t model.Type) string {
	switch {
	case t.Message != nil:
		return messageType + t.Message.Name
	case t.Enum != nil:
		return enumType + t.Enum.Name
	}
	return t.String()
}

// parseType is the reverse of typeText. A message or enum has its name only.
func parseType(text string) (model.Type, bool) {
	if name, ok := strings.CutPrefix(text, messageType); ok {
		return model.Type{Kind: model.KindMessage, Message: &model.Message{Name: name}}, name != ""
	}
	if name, ok := strings.CutPrefix(text, enumType); ok {
		return model.Type{Kind: model.KindEnum, Enum: &model.Enum{Name: name}}, name != ""
	}
	return model.ParseType(text)
}

// rangeText is a range as a lock has it, and parseRange the reverse.
func rangeText(r model.Range) string {
	if r.First == r.Last {
		return strconv.Itoa(r.First)
	}
	return strconv.Itoa(r.First) + ":" + strconv.Itoa(r.Last)
}

func parseRange(text string) (model.Range, bool) {
	first, last, ok := strings.Cut(text, ":")
	if !ok {
		last = first
	}
	a, errA := strconv.ParseInt(first, 10, 32)
	b, errB := strconv.ParseInt(last, 10, 32)
	return model.Range{First: int(a), Last: int(b)}, errA == nil && errB == nil && a <= b
}
