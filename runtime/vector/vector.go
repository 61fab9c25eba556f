// Package vector reads and writes files of vectors: samples of a message as one
// version of its schema writes it, in each codec. "coordgen vectors" makes the files,
// and package vectortest tests that code reads them.
//
// A file has a name on a line for each sample, and below it a line for each codec,
// with JSON as it is and the others in hex:
//
//	# What version 1 of orders.proto writes of shop.Order. Made by "coordgen vectors"; DO NOT EDIT.
//	# sha256 6b3a55e0261b0304143f805a24924d0c1c44524821305f31d9277843b8a10f4e
//
//	full
//	  json {"id":"id","total":2}
//	  msgpack 82a26964a26964a5746f74616c02
//	  proto 0a0269641002
package vector

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/coordgen/coordgen/runtime/wire"
)

// Extension is the end of the files' names.
const Extension = ".txt"

// A File is the samples of one message at one version of its schema.
type File struct {
	// Schema is the import path of the .proto file, and Version its version.
	Schema  string
	Version int
	// Message is the message's full name.
	Message string
	Samples []Sample
}

// A Sample is one message.
type Sample struct {
	Name     string
	Payloads []Payload
}

// A Payload is a message in one format.
type Payload struct {
	Format wire.Format
	Data   []byte
}

const (
	title = "# What version %d of %s writes of %s. Made by \"coordgen vectors\"; DO NOT EDIT.\n"
	sum   = "# sha256 %x\n"
)

// Format returns the text of the file.
func (f File) Format() []byte {
	var b bytes.Buffer
	for _, s := range f.Samples {
		fmt.Fprintf(&b, "\n%s\n", s.Name)
		for _, p := range s.Payloads {
			fmt.Fprintf(&b, "  %s", p.Format)
			switch {
			case len(p.Data) == 0: // and no blank at the end of the line
			case p.Format == wire.JSON:
				fmt.Fprintf(&b, " %s", p.Data)
			default:
				fmt.Fprintf(&b, " %x", p.Data)
			}
			b.WriteByte('\n')
		}
	}
	head := fmt.Sprintf(title, f.Version, f.Schema, f.Message)
	return append(fmt.Appendf([]byte(head), sum, sha256.Sum256(b.Bytes())), b.Bytes()...)
}

// Made says whether "coordgen vectors" made the text, and Intact whether it still is
// what was made then.
func Made(text []byte) bool {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	return bytes.HasPrefix(first, []byte("# What version ")) && bytes.Contains(first, []byte(`"coordgen vectors"`))
}

// Intact says whether the text is what was made, but for the ends of its lines.
func Intact(text []byte) bool {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	_, rest, _ := bytes.Cut(text, []byte("\n"))
	said, body, _ := bytes.Cut(rest, []byte("\n"))
	return string(said)+"\n" == fmt.Sprintf(sum, sha256.Sum256(body))
}

// Parse reads the samples of a file.
func Parse(text []byte) ([]Sample, error) {
	var samples []Sample
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "", strings.HasPrefix(line, "#"):
			continue
		case !strings.HasPrefix(line, "  "):
			samples = append(samples, Sample{Name: line})
			continue
		case samples == nil:
			return nil, fmt.Errorf("line %d: a payload without a sample that it is of", number)
		}
		p, err := parse(line[2:])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		s := &samples[len(samples)-1]
		s.Payloads = append(s.Payloads, p)
	}
	return samples, nil
}

// parse reads a payload.
func parse(line string) (Payload, error) {
	name, data, _ := strings.Cut(line, " ")
	for _, format := range []wire.Format{wire.JSON, wire.Msgpack, wire.Proto} {
		switch {
		case format.String() != name:
		case format == wire.JSON:
			return Payload{format, []byte(data)}, nil
		default:
			raw, err := hex.DecodeString(data)
			return Payload{format, raw}, err
		}
	}
	return Payload{}, fmt.Errorf("no codec %q", name)
}
