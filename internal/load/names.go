package load

import (
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// The rule of Go names
//
// A name of the schema is split into words: at underscores, and where a small
// letter or a digit is followed by a capital, or capitals by a capital that
// begins a word (userId, HTTPServer). A name with underscores and without small
// letters, and every value of an enum without small letters, is read as if it
// were written small. Each word then gets a capital, an initialism (see
// [initialism]) or its plural all of them, and the words are joined:
//
//	instance_id    InstanceID      http_url  HTTPURL     userIds  UserIDs
//	MAX_RETRIES    MaxRetries      ipv4      Ipv4        v1_2     V1_2
//
// An underscore stays where two digits would meet. A name that begins with an
// underscore, or with what can't begin a Go name, has an X before it.
//
// From these names those of the generated code are made:
//
//	message Item, in message Order           Item, OrderItem
//	enum Color, its value COLOR_RED or RED   Color, ColorRed
//	oneof payment of Order, its field card   OrderPayment (the interface), OrderCard (the member's struct)
//
// A struct's field that would be called like one of the methods that every
// message has, or may get (see [reserved]), has an underscore behind its name.
// That depends on nothing else in the message. Where two names meet, see
// scope.go.

// initialism says whether a word, given in capitals, is written in them. Code of
// users depends on it: no word is added or removed within a major version.
func initialism(word string) bool {
	switch word {
	case "ACL", "API", "ASCII", "CPU", "CSS", "DB", "DNS", "EOF", "GUID", "HTML", "HTTP", "HTTPS", "ID", "IP",
		"JSON", "JWT", "QPS", "RAM", "RPC", "SLA", "SMTP", "SQL", "SSH", "TCP", "TLS", "TTL", "UDP", "UI", "UID",
		"URI", "URL", "UTF8", "UUID", "VM", "XML", "XMPP", "XSRF", "XSS":
		return true
	}
	return false
}

// reserved says whether a message has, or may get, a method or a field of that
// name.
func reserved(name string) bool {
	for _, format := range []string{"JSON", "Msgpack", "Proto"} {
		switch strings.TrimSuffix(name, format) {
		case "Append", "Marshal", "Unmarshal", "Read", "Write", "Size":
			if strings.HasSuffix(name, format) {
				return true
			}
		}
	}
	switch name {
	case "EncodeMsgpack", "DecodeMsgpack", "Unknown", "String", "Equal", "Clone", "Reset", "LogValue":
		return true
	}
	return false
}

// fieldName is the name of a struct's field for a field or a oneof.
func fieldName(name string) string {
	name = goName(name)
	if reserved(name) {
		return name + "_"
	}
	return name
}

// goName is the Go name for a name of the schema.
func goName(name string) string { return exported(camel(name)) }

// camel is the Go name as far as it can stand behind another.
func camel(name string) string {
	if strings.Contains(name, "_") {
		name = smallen(name)
	}
	out := ""
	if strings.HasPrefix(name, "_") {
		out = "X"
	}
	for _, word := range words(name) {
		out = joined(out, capital(word))
	}
	return out
}

// joined puts one part of a name behind another.
func joined(a, b string) string {
	if a != "" && b != "" && isDigit(rune(a[len(a)-1])) && isDigit(rune(b[0])) {
		return a + "_" + b
	}
	return a + b
}

// exported puts an X before a name that can't begin an exported one.
func exported(name string) string {
	if name == "" || name[0] < 'A' || name[0] > 'Z' {
		return "X" + name
	}
	return name
}

// smallen returns a name without small letters in small letters.
func smallen(name string) string {
	if strings.ContainsFunc(name, isSmall) {
		return name
	}
	return strings.ToLower(name)
}

func capital(word string) string {
	upper := strings.ToUpper(word)
	if initialism(upper) {
		return upper
	}
	if single, ok := strings.CutSuffix(upper, "S"); ok && initialism(single) && strings.HasSuffix(word, "s") {
		return single + "s"
	}
	return upper[:1] + word[1:]
}

// words splits a name. What is neither letter nor digit parts words too, as in
// the names of topics.
func words(name string) []string {
	var out []string
	start := 0
	end := func(i int) {
		if i > start {
			out = append(out, name[start:i])
		}
		start = i
	}
	for i := range len(name) {
		c := rune(name[i])
		switch {
		case !isLetter(c) && !isDigit(c):
			end(i)
			start = i + 1
		case i == start || !isCapital(c):
		case !isCapital(rune(name[i-1])), i+1 < len(name) && isSmall(rune(name[i+1])):
			end(i)
		}
	}
	end(len(name))
	return out
}

func isSmall(r rune) bool   { return 'a' <= r && r <= 'z' }
func isCapital(r rune) bool { return 'A' <= r && r <= 'Z' }
func isLetter(r rune) bool  { return isSmall(r) || isCapital(r) }
func isDigit(r rune) bool   { return '0' <= r && r <= '9' }

// spelled is the fallback for a type: its path in the file as the schema writes
// it, joined by underscores.
func spelled(d protoreflect.Descriptor) string {
	name := string(d.Name())
	for p := d.Parent(); ; p = p.Parent() {
		if _, ok := p.(protoreflect.MessageDescriptor); !ok {
			return exported(strings.ToUpper(name[:1]) + name[1:])
		}
		name = string(p.Name()) + "_" + name
	}
}

// plain is the name of a type, that of the messages that hold it before it.
func plain(d protoreflect.Descriptor) string {
	name := goName(string(d.Name()))
	for p := d.Parent(); ; p = p.Parent() {
		if _, ok := p.(protoreflect.MessageDescriptor); !ok {
			return name
		}
		name = joined(goName(string(p.Name())), name)
	}
}

// withoutPrefix drops the enum's name from that of a value: SHUTDOWN_INTENT_ from
// SHUTDOWN_INTENT_GRACEFUL of ShutdownIntent. Case and underscores within the
// prefix do not matter. A name of which nothing would be left stays as it is.
func withoutPrefix(enum, value string) string {
	want := strings.ToLower(strings.ReplaceAll(enum, "_", ""))
	i := 0
	for i < len(value) && want != "" {
		switch c := value[i]; {
		case c == '_':
		case strings.ToLower(string(c)) == want[:1]:
			want = want[1:]
		default:
			return value
		}
		i++
	}
	rest := strings.TrimLeft(value[i:], "_")
	if want != "" || !strings.HasPrefix(value[i:], "_") || rest == "" {
		return value
	}
	return rest
}
