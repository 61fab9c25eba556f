package wire

import "strconv"

// An Enum describes the values of one enum to its codecs. Generated code holds
// one for each enum and never changes it.
type Enum struct {
	// Name is the enum's full name.
	Name string
	// Schema is set for an enum of which some versions have less than the present
	// one; see [Version].
	Schema string
	// Values are the enum's values in the schema's order. An alias comes behind
	// the value that it stands for and has its number.
	Values []EnumValue
}

// An EnumValue is the name that stands on the wire, and the number.
type EnumValue struct {
	Name   string
	Number int32
	// Alias marks a name that is read and never written.
	Alias bool
	// Since is the first version that has the value, or 0.
	Since int
	// Former are the names that earlier versions write, the oldest first.
	Former []FormerName
}

// A FormerName is a name that the versions up to Until write.
type FormerName struct {
	Name  string
	Until int
}

// Known says whether name is one that the schema gives, aliases left out. The
// empty name, which is Go's zero value, stands for the value with number 0.
func (e *Enum) Known(name string) bool {
	for _, v := range e.Values {
		if !v.Alias && v.Name == name {
			return true
		}
	}
	return name == ""
}

// Number returns the number of name: the schema's, or, for a value that was
// read as a bare number, that number. It is 0 for a name that the schema does
// not know.
func (e *Enum) Number(name string) int32 {
	n, _ := e.number(name)
	return n
}

// number is Number, and says whether there is one.
func (e *Enum) number(name string) (number int32, ok bool) {
	for i := range e.Values {
		if e.Values[i].Name == name {
			return e.Values[i].Number, true
		}
	}
	if n, err := strconv.ParseInt(name, 10, 32); err == nil && strconv.FormatInt(n, 10) == name {
		return int32(n), true
	}
	return 0, name == ""
}

// ByNumber returns the name of the value with that number. A number that the
// schema does not know is kept as its digits.
func (e *Enum) ByNumber(number int32) string {
	for _, v := range e.Values {
		if !v.Alias && v.Number == number {
			return v.Name
		}
	}
	return strconv.FormatInt(int64(number), 10)
}

// named returns the value with that name, or nil.
func (e *Enum) named(text []byte) *EnumValue {
	for i := range e.Values {
		if v := &e.Values[i]; v.Name == string(text) {
			return v
		}
	}
	return nil
}

// ByName returns the name that is written for text read from the wire, which
// may be an alias, the digits of a number, or unknown. It allocates only for an
// unknown name.
func (e *Enum) ByName(text []byte) string {
	if v := e.named(text); v != nil {
		if v.Alias {
			return e.ByNumber(v.Number)
		}
		return v.Name
	}
	if n, err := strconv.ParseInt(string(text), 10, 32); err == nil && strconv.FormatInt(n, 10) == string(text) {
		return e.ByNumber(int32(n))
	}
	return string(text)
}

// Written returns the name to write: for the empty name, which is Go's zero
// value, that of number 0.
func (e *Enum) Written(name string) string {
	if name == "" {
		return e.ByNumber(0)
	}
	return name
}
