package docgen

// Block is block, for tests.
var Block = block
