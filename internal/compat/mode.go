package compat

// A Mode is what a check asks about.
type Mode string

// The modes. Backward asks whether new code reads what old code writes, Forward the
// reverse, and Full both. The transitive ones ask it of all versions on record, the
// others of the last one.
const (
	Backward           Mode = "backward"
	Forward            Mode = "forward"
	Full               Mode = "full"
	BackwardTransitive Mode = "backward-transitive"
	ForwardTransitive  Mode = "forward-transitive"
	FullTransitive     Mode = "full-transitive"
)

// Modes returns all modes.
func Modes() []Mode {
	return []Mode{Backward, Forward, Full, BackwardTransitive, ForwardTransitive, FullTransitive}
}

func (m Mode) backward() bool { return m != Forward && m != ForwardTransitive }
func (m Mode) forward() bool  { return m != Backward && m != BackwardTransitive }

func (m Mode) transitive() bool {
	return m == BackwardTransitive || m == ForwardTransitive || m == FullTransitive
}
