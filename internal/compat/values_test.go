package compat_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/stretchr/testify/assert"

	"github.com/coordgen/coordgen/internal/model"
)

// parseTree is a JSON document, with its numbers exact and in one form.
func parseTree(text []byte) map[string]any {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var document map[string]any
	if err := decoder.Decode(&document); err != nil {
		return nil
	}
	for key, v := range document {
		document[key] = normal(v)
	}
	return document
}

func normal(v any) any {
	switch v := v.(type) {
	case json.Number:
		n, _ := new(big.Rat).SetString(v.String())
		return n.RatString()
	case map[string]any:
		for key := range v {
			v[key] = normal(v[key])
		}
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
	}
	return v
}

// paths is a value as coordgen's form of JSON has it, which for a google.protobuf.FieldMask
// is not that of protojson.
func paths(t model.Type, v any) any {
	text, isText := v.(string)
	if !t.IsPaths() || !isText {
		return v
	}
	list := []any{}
	for path := range strings.SplitSeq(text, ",") {
		if path != "" {
			list = append(list, strings.ToLower(upper.ReplaceAllString(path, "_$0")))
		}
	}
	return map[string]any{"paths": list}
}

var upper = regexp.MustCompile("[A-Z]")

// single is a number as a float has it.
func single(v any) float32 {
	text, _ := v.(string)
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return float32(math.NaN())
	}
	f, _ := r.Float32()
	return f
}

// plain is a value as protobuf's wire has it: an enum and a bool are numbers, and bytes
// are not in base64.
func plain(t model.Type, v any) any {
	switch text, isText := v.(string); {
	case v == false:
		return "0"
	case v == true:
		return "1"
	case t.Kind == model.KindEnum:
		if value := valueOf(t.Enum, v); value != nil {
			return strconv.Itoa(int(value.Number))
		}
	case t.Kind == model.KindBytes && isText:
		if raw, err := base64.StdEncoding.DecodeString(text); err == nil {
			return string(raw)
		}
	}
	return v
}

// isUnset says whether a field has what it would have if it were absent.
func isUnset(f *model.Field, values []keyed) bool {
	if f.Default != "" && len(values) == 1 && assert.ObjectsAreEqual(values[0].value, defaultOf(f)) {
		return true
	}
	return areZero(f, values) && (f.Default == "" || !f.Presence)
}

func areZero(f *model.Field, values []keyed) bool {
	return len(values) == 0 || len(values) == 1 && isZero(f, values[0].value)
}

func defaultOf(f *model.Field) any { return parseTree([]byte(`{"f":` + f.Default + "}"))["f"] }

// zeroOf is the zero of a field that can't be absent.
func zeroOf(f *model.Field) any {
	switch f.Type.Kind {
	case model.KindBool:
		return false
	case model.KindString, model.KindBytes:
		return ""
	case model.KindEnum:
		return f.Type.Enum.Zero().Wire
	}
	return "0"
}

// isZero says whether a value is one that is not told from an absent one.
func isZero(f *model.Field, v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		switch f.Type.Kind {
		case model.KindEnum:
			zero := f.Type.Enum.Zero()
			return v == "" || zero != nil && v == zero.Wire
		case model.KindTime:
			return v == "0001-01-01T00:00:00+00:00"
		case model.KindDuration:
			return v == "0s" || v == "0.000s"
		}
		return v == "" || v == "0" && f.Type.Kind != model.KindString
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}
