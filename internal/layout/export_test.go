package layout

// Function lays out one declaration without gofmt. It says false if it can't.
func Function(src []byte) ([]byte, bool) {
	r := newReader(src)
	r.next()
	return r.lines.appendTo(nil)
}
