package electortest

import "github.com/coordgen/coordgen/runtime/elector"

// termCases are about electors that number their leaderships.
var termCases = []Case{
	{
		Name:  "term-zero",
		Doc:   "The term is 0 for whoever does not lead, and only then.",
		needs: []capability{isFenced},
		run: func(p *probe) {
			p.hasTerm(p.a, false)
			p.acquires(p.a, true)
			p.hasTerm(p.a, true)
			p.hasTerm(p.b, false)
			p.release(p.a)
			p.hasTerm(p.a, false)
		},
	},
	{
		Name:  "term-after-loss",
		Doc:   "The term is 0 after a loss.",
		needs: []capability{isFenced, canLose},
		run: func(p *probe) {
			p.acquires(p.a, true)
			p.hasTerm(p.a, true)
			p.lose(p.a)
			p.hasTerm(p.a, false)
		},
	},
	{
		Name:  "term-steady",
		Doc:   "The term stays the same while the instance leads.",
		needs: []capability{isFenced},
		run: func(p *probe) {
			p.acquires(p.a, true)
			term := p.term(p.a)
			p.acquires(p.a, true)
			p.renews(p.a, true)
			p.acquires(p.b, false)
			if now := p.term(p.a); now != term {
				p.fatalf("term of a leadership changed from %d to %d", term, now)
			}
		},
	},
	{
		Name:  "term-rises",
		Doc:   "Each leadership has a greater term than those before it, whoever led.",
		needs: []capability{isFenced},
		run: func(p *probe) {
			last := uint64(0)
			for _, e := range []elector.LeaderElector{p.a, p.a, p.b, p.c, p.a} {
				p.acquires(e, true)
				term := p.term(e)
				if term <= last {
					p.fatalf("term of %q is %d, after a leadership of term %d", e.Identity(), term, last)
				}
				last = term
				p.release(e)
			}
		},
	},
}

func (p *probe) term(e elector.LeaderElector) (term uint64) {
	p.Helper()
	fenced, ok := e.(elector.Fenced)
	if !ok {
		p.fatalf("%T is declared as fenced and does not implement elector.Fenced", e)
	}
	p.within("Term", func() error { term = fenced.Term(); return nil })
	return term
}

func (p *probe) hasTerm(e elector.LeaderElector, want bool) {
	p.Helper()
	switch term := p.term(e); {
	case want && term == 0:
		p.fatalf("term of %q is 0 although it leads", e.Identity())
	case !want && term != 0:
		p.fatalf("term of %q is %d although it does not lead", e.Identity(), term)
	}
}
