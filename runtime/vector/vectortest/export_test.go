package vectortest

import "github.com/coordgen/coordgen/runtime/vector"

// Check says what is wrong with a payload, or how it differs from another of the same
// sample.
func Check[T any, M Message[T]](p vector.Payload, other *vector.Payload, exact bool) error {
	is := &sample[T, M]{p}
	if other == nil {
		return is.check(nil, exact)
	}
	return is.check(&sample[T, M]{*other}, exact)
}

// Samples are the samples of a file.
func (h History) Samples(file string) ([]vector.Sample, error) { return h.samples(file) }
