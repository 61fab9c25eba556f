package wire

// Generated code refers to the constant of the release whose runtime it needs,
// so that an older runtime, which has no such constant, stops the build with a
// message that names the release: "undefined: wire.NeedsCoordgenV0_1_0". A
// release whose generated code calls what no release before it has adds a
// constant. None is ever removed.
const (
	// NeedsCoordgenV0_1_0 is there from v0.1.0 on.
	NeedsCoordgenV0_1_0 = true
)
