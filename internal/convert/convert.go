// Package convert turns the bytes of a message from one codec into those of
// another, without generated code: it reads a message into a tree of values, as
// its schema says, and writes the tree. It does what generated code does, byte for
// byte.
package convert

import (
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/runtime/wire"
)

// The codecs.
const (
	JSON     = "json"
	Msgpack  = "msgpack"
	Protobuf = "protobuf"
)

// Codecs returns the names of the codecs.
func Codecs() []string { return []string{JSON, Msgpack, Protobuf} }

// MaxInput is how many bytes a message may have: as many as package bus takes,
// unless it is told otherwise.
const MaxInput = 4 << 20

// A Converter converts messages of one type. It is for one goroutine.
type Converter struct {
	message *model.Message
	shapes  shapes
}

// New returns a converter of the message m, of which d is the descriptor.
func New(m *model.Message, d protoreflect.MessageDescriptor) (*Converter, error) {
	if err := checkWellKnown(d); err != nil {
		return nil, err
	}
	return Recorded(m), nil
}

// Recorded returns a converter of a message of which there is no descriptor, since it
// is one on record.
func Recorded(m *model.Message) *Converter {
	return &Converter{message: m, shapes: newShapes(m)}
}

// Convert returns the message that data holds in the codec from, in the codec to.
// Beside it come the fields of protobuf's wire that the schema does not know and
// that are left out, each as a sentence. An error is a [*wire.Error].
func (c *Converter) Convert(data []byte, from, to string) (out []byte, without []string, err error) {
	m, err := c.read(data, from)
	if err != nil {
		return nil, nil, err
	}
	if from == Protobuf {
		without = leftOut(m, to)
	}
	out, err = c.write(m, to)
	return out, without, err
}

// Known returns, in JSON, what the schema knows of the message that data holds.
func (c *Converter) Known(data []byte, from string) ([]byte, error) {
	known := *c
	known.shapes.drop = true
	m, err := known.read(data, from)
	if err != nil {
		return nil, err
	}
	return known.write(m, JSON)
}

func (c *Converter) read(data []byte, from string) (m *message, err error) {
	switch from {
	case Protobuf:
		r := wire.NewProtoReader(data)
		m = c.shapes.empty(c.message, beforeProto)
		c.shapes.readProto(&r, m, false)
		err = r.Close()
	case Msgpack:
		r := wire.NewMsgpackReader(data)
		m, data = read(c.shapes, reader[wire.MsgpackMessage](&r), data, c.message)
		err = r.Close(data)
	default:
		r := wire.NewJSONReader(data)
		m, data = read(c.shapes, reader[wire.JSONMessage](&r), data, c.message)
		err = r.Close(data)
	}
	return m, err
}

func (c *Converter) write(m *message, to string) ([]byte, error) {
	switch to {
	case Protobuf:
		return c.writeProtobuf(m)
	case Msgpack:
		w := wire.NewMsgpackWriter(nil)
		return w.Close(c.shapes.write(msgpackWriter{&w}, nil, m), c.message.Name)
	default:
		w := wire.NewJSONWriter(nil)
		return w.Close(c.shapes.write(jsonWriter{&w}, nil, m), c.message.Name)
	}
}
