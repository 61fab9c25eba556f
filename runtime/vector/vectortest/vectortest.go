// Package vectortest tests that generated code reads what earlier versions of its
// schema wrote. The test that "coordgen vectors" generates calls it.
package vectortest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/coordgen/coordgen/runtime/vector"
	"github.com/coordgen/coordgen/runtime/wire"
)

// A History is the vectors of a schema.
type History struct {
	// Folder is the folder of the files.
	Folder string
	// Formats are those that the code has. Vectors in another are passed over.
	Formats []wire.Format
}

// A Message is a pointer to a generated struct.
type Message[T any] interface {
	*T
	Equal(other *T) bool
}

// Read tests that the samples in a file are read as T: each is decoded, says the same
// in all formats, and loses nothing when it is written again. The exceptions name those
// that are left out, as "full", or as "json/full" in one format.
func Read[T any, M Message[T]](t *testing.T, h History, file string, except ...string) {
	t.Helper()
	run[T, M](t, h, file, false, except)
}

// Write tests as [Read] does, and that T is written as the very bytes of the samples.
func Write[T any, M Message[T]](t *testing.T, h History, file string) {
	t.Helper()
	run[T, M](t, h, file, true, nil)
}

func run[T any, M Message[T]](t *testing.T, h History, file string, exact bool, except []string) {
	t.Helper()
	t.Run(strings.TrimSuffix(file, vector.Extension), func(t *testing.T) {
		samples, err := h.samples(file)
		if err != nil {
			t.Fatalf("%v; run \"coordgen vectors\" again", err)
		}
		for _, s := range samples {
			var first *sample[T, M]
			for _, p := range s.Payloads {
				name := p.Format.String() + "/" + s.Name
				if !slices.Contains(h.Formats, p.Format) || slices.Contains(except, name) || slices.Contains(except, s.Name) {
					continue
				}
				t.Run(name, func(t *testing.T) {
					is := &sample[T, M]{p}
					if err := is.check(first, exact); err != nil {
						t.Error(err)
					} else if first == nil {
						first = is
					}
				})
			}
		}
	})
}

func (h History) samples(file string) ([]vector.Sample, error) {
	name := filepath.Join(h.Folder, filepath.FromSlash(file))
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	samples, err := vector.Parse(text)
	switch {
	case err != nil:
	case len(samples) == 0:
		err = errors.New("there is no sample")
	case !vector.Intact(text):
		err = errors.New("the file is not as it was made; take it from the version control, or delete it")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return samples, nil
}

// A sample is a payload that is read as T.
type sample[T any, M Message[T]] struct{ vector.Payload }

// check says what is wrong with the sample, or how it differs from what the same
// sample is in another format, if that is given.
func (s *sample[T, M]) check(other *sample[T, M], exact bool) error {
	m, err := s.read(s.Data)
	if err != nil {
		return fmt.Errorf("not read: %w", err)
	}
	data, err := wire.Append(s.Format, nil, m)
	if err != nil {
		return fmt.Errorf("not written again: %w", err)
	}
	if exact && !bytes.Equal(data, s.Data) {
		return fmt.Errorf("written otherwise; if the schema or coordgen changed, run \"coordgen generate\" and then \"coordgen vectors\" again\ngot  %s\nwant %s", s.shown(data), s.shown(s.Data))
	}
	again, err := s.read(data)
	switch {
	case err != nil:
		return fmt.Errorf("not read again: %w", err)
	case !M(m).Equal(again):
		return fmt.Errorf("lost when written again\ngot  %v\nwant %v", again, m)
	case other == nil:
		return nil
	}
	same, err := other.read(other.Data)
	if err != nil {
		return err
	}
	level(reflect.ValueOf(m))
	level(reflect.ValueOf(same))
	if !M(m).Equal(same) {
		return fmt.Errorf("not the same as in %s\n%-8s %v\n%-8s %v", other.Format, s.Format, m, other.Format, same)
	}
	return nil
}

func (s *sample[T, M]) read(data []byte) (*T, error) {
	m := new(T)
	return m, wire.Unmarshal(s.Format, data, M(m))
}

// shown is a payload as the files have it.
func (s *sample[T, M]) shown(data []byte) string {
	if s.Format == wire.JSON {
		return string(data)
	}
	return fmt.Sprintf("%x", data)
}
