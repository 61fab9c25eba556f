package pb

//go:generate go run ./gen
