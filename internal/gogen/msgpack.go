package gogen

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/godoc"
	"github.com/coordgen/coordgen/internal/model"
)

// msgpackCodec prints the msgpack codec.
type msgpackCodec struct{ deepSet }

func (msgpackCodec) name() string { return "Msgpack" }
func (msgpackCodec) text() string { return "msgpack" }

func (msgpackCodec) scalar(t model.Type) string { return scalar(t.Kind) }

func (msgpackCodec) reads(t model.Type) string { return scalar(t.Kind) }

func (msgpackCodec) enum(*model.Enum) string { return "Enum" }

func (msgpackCodec) isOwn(model.Type) bool { return false }

func (msgpackCodec) isSet(f *model.Field) *jen.Statement { return isSet(f, jen.Id("m").Dot(f.Go)) }

// bridges prints the methods by which msgpack/v5 finds the codec.
func (msgpackCodec) bridges(p *printer, m *model.Message) {
	p.add(godoc.Lines("EncodeMsgpack writes the message to e. It makes the message a msgpack.CustomEncoder.", model.Doc{}),
		method("m", m.Go, "EncodeMsgpack").Params(jen.Id("e").Op("*").Qual(msgpackPath, "Encoder")).Error().Block(
			jen.Return(jen.Qual(wirePath, "EncodeMsgpack").Call(jen.Id("e"), jen.Op("&").Id("m")))))
	p.add(godoc.Lines("DecodeMsgpack reads the message from d. It makes the message a msgpack.CustomDecoder.", model.Doc{}),
		pointerMethod("m", m.Go, "DecodeMsgpack").Params(jen.Id("d").Op("*").Qual(msgpackPath, "Decoder")).Error().Block(
			jen.Return(jen.Qual(wirePath, "DecodeMsgpack").Call(jen.Id("d"), jen.Id("m")))))
}

func (c msgpackCodec) write(m *model.Message) []jen.Code {
	always := 0
	var count []jen.Code
	for f, o := range m.Parts() {
		var set *jen.Statement
		if o != nil {
			set = jen.Id("m").Dot(o.Go).Op("!=").Nil()
		} else {
			set = isWritten(f, c.isSet(f))
		}
		if set == nil {
			always++
		} else {
			count = append(count, jen.If(set).Block(jen.Id("n").Op("++")))
		}
	}
	total := jen.Lit(always)
	if m.File.KeepUnknown {
		total = total.Op("+").Id("m").Dot("Unknown").Dot("Len").Call()
	}
	var body []jen.Code
	if count != nil {
		body = append(append(body, jen.Id("n").Op(":=").Add(total)), count...)
		total = jen.Id("n")
	}
	body = append(body, jen.Id("b").Op("=").Add(call("w", "MapHeader", jen.Id("b"), total)))
	body = append(body, writeFields(c, m)...)
	result := jen.Id("b")
	if m.File.KeepUnknown {
		result = call("w", "Unknown", jen.Id("b"), jen.Id("m").Dot("Unknown"), jen.Op("&").Id(fieldsTable(m)))
	}
	return c.counted(m, append(reverted(m, body), jen.Return(result)))
}

// key appends the key as the constant that it is.
func (c msgpackCodec) key(f *model.Field, _ bool) jen.Code {
	return written(f, func(name string) jen.Code {
		return jen.Id("b").Op("=").Append(jen.Id("b"), jen.Id(hexLiteral(msgpackHeader(name), name)).Op("..."))
	})
}

// readKey is the key's header and its text.
func (msgpackCodec) readKey(f *model.Field) (key string, before int, literal string) {
	header := msgpackHeader(f.Wire)
	return string(header) + f.Wire, 0, hexLiteral(header, f.Wire)
}

// msgpackHeader is what stands before the text in msgpack.
func msgpackHeader(text string) []byte {
	switch n := len(text); {
	case n < 32:
		return []byte{0xa0 | byte(n)}
	case n < 1<<8:
		return []byte{0xd9, byte(n)}
	default:
		return binary.BigEndian.AppendUint16([]byte{0xda}, uint16(n))
	}
}

func (msgpackCodec) list(f *model.Field, field *jen.Statement, element elementWriter) []jen.Code {
	return []jen.Code{
		jen.Id("b").Op("=").Add(call("w", "ArrayHeader", jen.Id("b"), jen.Len(field))),
		eachElement(f, field, nil, element),
	}
}

func (msgpackCodec) entries(f *model.Field, field *jen.Statement, element elementWriter) []jen.Code {
	return []jen.Code{
		jen.Id("b").Op("=").Add(call("w", "MapHeader", jen.Id("b"), jen.Len(field))),
		eachEntry(f, field, jen.Id("b").Op("=").Add(call("w", scalar(f.Key), jen.Id("b"), jen.Id("key"))), element),
	}
}

// hexLiteral is the Go literal of header and text in one string.
func hexLiteral(header []byte, text string) string {
	literal := fmt.Sprintf("%q", text)
	var hex strings.Builder
	for _, c := range header {
		fmt.Fprintf(&hex, `\x%02x`, c)
	}
	return literal[:1] + hex.String() + literal[1:]
}
