package wire

import "fmt"

// Migrate calls migrate for a message that has been read up to b, unless reading has
// failed, and fails if it does. It serves the messages.
func (in *Input) Migrate(b []byte, migrate func() error) []byte {
	in.at(b)
	in.migrate(migrate)
	return in.rest()
}

// Migrate is [Input.Migrate]. Again says that a part of the message was read, and
// migrated, before: what comes of both together is not known then.
func (r *ProtoReader) Migrate(migrate func() error, again bool) {
	if again {
		r.failf(r.pos, ErrVersion, "a message that an older version wrote is in parts")
	}
	r.migrate(migrate)
}

func (in *Input) migrate(migrate func() error) {
	if in.failed() {
		return
	}
	if err := migrate(); err != nil {
		in.fail(in.pos, err)
	}
}

// Unmigrated is the error of a message that the named migration, which made a schema's
// version, or what it calls could not make one of another version. A nil cause means
// that the migration has no way back.
func Unmigrated(name string, version int, cause error) error {
	if cause == nil {
		return fmt.Errorf("%w: migration %q of version %d has no way back", ErrVersion, name, version)
	}
	return fmt.Errorf("%w: migration %q of version %d: %w", ErrVersion, name, version, cause)
}

// Unreverted is the error of a message of a version to come that is to be written as one
// of an older version than the present one: what it takes is not known here.
func Unreverted[T stamp](version T, present int) error {
	return fmt.Errorf("%w: the message is of version %d, and this program knows versions up to %d; write it at that one, or upgrade the program", ErrVersion, version, present)
}

// A stamp is the type of a field that says a version.
type stamp interface {
	int32 | int64 | uint32 | uint64
}

// Stamp returns the version that a message says: the one that is written, unless the
// message was read as one of a version to come, beyond the present one.
func Stamp[T stamp](said T, written, present int) T {
	if said > T(present) {
		return said
	}
	return T(written)
}

// Copy says whether the message that is written next is the caller's, who must not see
// it change. It is to be copied then, which serves all messages that it holds, until
// [output.Copied].
func (out *output) Copy() bool {
	if out.copied {
		return false
	}
	out.copied = true
	return true
}

// Copied ends what [output.Copy] began.
func (out *output) Copied() { out.copied = false }

// Unwritable fails because the message can't be written, for the reason err.
func (out *output) Unwritable(b []byte, err error) []byte {
	if !out.stopped() {
		out.err, out.at = err, len(b)
	}
	return b
}
