package wire

import "fmt"

// Migrate calls migrate for a message that has been read up to b, unless reading has
// failed, and fails if it does. It serves the messages.
func (in *Input) Migrate(b []byte, migrate func() error) []byte {
	in.at(b)
	in.migrate(migrate)
	return in.rest()
}

// Migrate is [Input.Migrate].
func (r *ProtoReader) Migrate(migrate func() error) { r.migrate(migrate) }

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

// Unwritable fails because the message can't be written, for the reason err.
func (out *output) Unwritable(b []byte, err error) []byte {
	if !out.stopped() {
		out.err, out.at = err, len(b)
	}
	return b
}
