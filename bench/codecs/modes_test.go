package codecs

import (
	"github.com/coordgen/coordgen/bench/codecs/ours"
	"github.com/coordgen/coordgen/runtime/wire"
)

// A mode is how coordgen's readers decode where their caller asks for it.
type mode struct{ alias, reuse bool }

func (mode mode) set(in *wire.Input) {
	if mode.alias {
		in.AliasInput()
	}
	if mode.reuse {
		in.ReuseMemory()
	}
}

// json returns a function that decodes JSON in that mode, into m if it is to be used
// again. The reader stays on the stack only where the message's type is known.
func (mode mode) json(m any) func(data []byte) (any, error) {
	switch used := m.(type) {
	case *ours.Heartbeat:
		return func(data []byte) (any, error) {
			r, m := wire.NewJSONReader(data), fresh(mode, used)
			mode.set(&r.Input)
			return m, r.Close(m.ReadJSON(&r, data))
		}
	case *ours.Notice:
		return func(data []byte) (any, error) {
			r, m := wire.NewJSONReader(data), fresh(mode, used)
			mode.set(&r.Input)
			return m, r.Close(m.ReadJSON(&r, data))
		}
	case *ours.Order:
		return func(data []byte) (any, error) {
			r, m := wire.NewJSONReader(data), fresh(mode, used)
			mode.set(&r.Input)
			return m, r.Close(m.ReadJSON(&r, data))
		}
	}
	return nil
}

// msgpack is json for msgpack.
func (mode mode) msgpack(m any) func(data []byte) (any, error) {
	switch used := m.(type) {
	case *ours.Heartbeat:
		return func(data []byte) (any, error) {
			r, m := wire.NewMsgpackReader(data), fresh(mode, used)
			mode.set(&r.Input)
			return m, r.Close(m.ReadMsgpack(&r, data))
		}
	case *ours.Notice:
		return func(data []byte) (any, error) {
			r, m := wire.NewMsgpackReader(data), fresh(mode, used)
			mode.set(&r.Input)
			return m, r.Close(m.ReadMsgpack(&r, data))
		}
	case *ours.Order:
		return func(data []byte) (any, error) {
			r, m := wire.NewMsgpackReader(data), fresh(mode, used)
			mode.set(&r.Input)
			return m, r.Close(m.ReadMsgpack(&r, data))
		}
	}
	return nil
}

// proto is json for protobuf.
func (mode mode) proto(m any) func(data []byte) (any, error) {
	switch used := m.(type) {
	case *ours.Heartbeat:
		return func(data []byte) (any, error) {
			r, m := wire.NewProtoReader(data), fresh(mode, used)
			mode.set(&r.Input)
			m.ReadProto(&r, false)
			return m, r.Close()
		}
	case *ours.Notice:
		return func(data []byte) (any, error) {
			r, m := wire.NewProtoReader(data), fresh(mode, used)
			mode.set(&r.Input)
			m.ReadProto(&r, false)
			return m, r.Close()
		}
	case *ours.Order:
		return func(data []byte) (any, error) {
			r, m := wire.NewProtoReader(data), fresh(mode, used)
			mode.set(&r.Input)
			m.ReadProto(&r, false)
			return m, r.Close()
		}
	}
	return nil
}

// fresh returns the message to decode into.
func fresh[M any](mode mode, used *M) *M {
	if mode.reuse {
		return used
	}
	return new(M)
}
