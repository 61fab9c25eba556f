package load

// Dump prints a schema for golden files.
var Dump = dump
