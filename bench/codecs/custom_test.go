package codecs

import (
	"errors"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/coordgen/coordgen/bench/codecs/plain"
)

// customHeartbeat and customNotice have methods for msgpack/v5 as its users write
// them by hand. An Order has none: few would write that.
type (
	customHeartbeat plain.Heartbeat
	customNotice    plain.Notice
)

var (
	_ msgpack.CustomEncoder = (*customHeartbeat)(nil)
	_ msgpack.CustomDecoder = (*customHeartbeat)(nil)
	_ msgpack.CustomEncoder = (*customNotice)(nil)
	_ msgpack.CustomDecoder = (*customNotice)(nil)
)

func (m *customHeartbeat) EncodeMsgpack(e *msgpack.Encoder) error {
	return errors.Join(
		e.EncodeMapLen(6),
		e.EncodeString("instance_id"), e.EncodeString(m.InstanceID),
		e.EncodeString("timestamp"), e.EncodeTime(m.Timestamp),
		e.EncodeString("subscriptions"), encodeStrings(e, m.Subscriptions),
		e.EncodeString("in_flight_count"), e.EncodeInt(m.InFlightCount),
		e.EncodeString("is_leader"), e.EncodeBool(m.IsLeader),
		e.EncodeString("load_factor"), e.EncodeFloat64(m.LoadFactor),
	)
}

func (m *customHeartbeat) DecodeMsgpack(d *msgpack.Decoder) error {
	return decodeFields(d, func(key string) (err error) {
		switch key {
		case "instance_id":
			m.InstanceID, err = d.DecodeString()
		case "timestamp":
			m.Timestamp, err = d.DecodeTime()
		case "subscriptions":
			m.Subscriptions, err = decodeStrings(d, m.Subscriptions[:0])
		case "in_flight_count":
			m.InFlightCount, err = d.DecodeInt64()
		case "is_leader":
			m.IsLeader, err = d.DecodeBool()
		case "load_factor":
			m.LoadFactor, err = d.DecodeFloat64()
		default:
			err = d.Skip()
		}
		return err
	})
}

func (m *customNotice) EncodeMsgpack(e *msgpack.Encoder) error {
	return errors.Join(
		e.EncodeMapLen(7),
		e.EncodeString("instance_id"), e.EncodeString(m.InstanceID),
		e.EncodeString("intent"), e.EncodeString(m.Intent),
		e.EncodeString("initiated_at"), e.EncodeTime(m.InitiatedAt),
		e.EncodeString("expected_completion_at"), e.EncodeTime(m.ExpectedCompletionAt),
		e.EncodeString("subscriptions"), encodeStrings(e, m.Subscriptions),
		e.EncodeString("in_flight_count"), e.EncodeInt(m.InFlightCount),
		e.EncodeString("metadata"), e.EncodeMap(m.Metadata),
	)
}

func (m *customNotice) DecodeMsgpack(d *msgpack.Decoder) error {
	return decodeFields(d, func(key string) (err error) {
		switch key {
		case "instance_id":
			m.InstanceID, err = d.DecodeString()
		case "intent":
			m.Intent, err = d.DecodeString()
		case "initiated_at":
			m.InitiatedAt, err = d.DecodeTime()
		case "expected_completion_at":
			m.ExpectedCompletionAt, err = d.DecodeTime()
		case "subscriptions":
			m.Subscriptions, err = decodeStrings(d, m.Subscriptions[:0])
		case "in_flight_count":
			m.InFlightCount, err = d.DecodeInt64()
		case "metadata":
			m.Metadata, err = d.DecodeMap()
		default:
			err = d.Skip()
		}
		return err
	})
}

func encodeStrings(e *msgpack.Encoder, list []string) error {
	err := e.EncodeArrayLen(len(list))
	for _, s := range list {
		err = errors.Join(err, e.EncodeString(s))
	}
	return err
}

func decodeStrings(d *msgpack.Decoder, list []string) ([]string, error) {
	n, err := d.DecodeArrayLen()
	for ; n > 0 && err == nil; n-- {
		var s string
		s, err = d.DecodeString()
		list = append(list, s)
	}
	return list, err
}

func decodeFields(d *msgpack.Decoder, decode func(key string) error) error {
	n, err := d.DecodeMapLen()
	for ; n > 0 && err == nil; n-- {
		var key string
		if key, err = d.DecodeString(); err == nil {
			err = decode(key)
		}
	}
	return err
}
