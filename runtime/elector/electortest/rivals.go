package electortest

// rivalCases are about instances that want the same leadership.
var rivalCases = []Case{
	{
		Name: "rival-acquire",
		Doc:  "A rival can't acquire while another leads.",
		run: func(p *probe) {
			p.acquires(p.a, true)
			p.acquires(p.b, false)
			p.leads(p.b, false)
			p.leads(p.a, true)
			p.renews(p.a, true)
		},
	},
	{
		Name: "rival-current-leader",
		Doc:  "A rival sees the one that leads as the current leader, and nobody after a release.",
		run: func(p *probe) {
			p.acquires(p.a, true)
			p.names(p.b, p.a.Identity())
			p.acquires(p.b, false)
			p.names(p.b, p.a.Identity())
			p.release(p.a)
			p.names(p.b, "")
		},
	},
	{
		Name: "rival-after-release",
		Doc:  "A rival can acquire after a release, and then the former leader can't.",
		run: func(p *probe) {
			p.acquires(p.a, true)
			p.acquires(p.b, false)
			p.release(p.a)
			p.acquires(p.b, true)
			p.leads(p.b, true)
			p.acquires(p.a, false)
			p.leads(p.a, false)
			p.names(p.a, p.b.Identity())
		},
	},
	{
		Name: "rival-renew",
		Doc:  "A rival's Renew is false while another leads, and takes nothing.",
		run: func(p *probe) {
			p.acquires(p.a, true)
			p.renews(p.b, false)
			p.leads(p.b, false)
			p.names(p.b, p.a.Identity())
			p.renews(p.a, true)
		},
	},
	{
		Name: "rival-release",
		Doc:  "A rival's Release does not free what another holds.",
		run: func(p *probe) {
			p.acquires(p.a, true)
			p.release(p.b)
			p.leads(p.a, true)
			p.renews(p.a, true)
			p.acquires(p.c, false)
		},
	},
	{
		Name:  "rival-after-loss",
		Doc:   "A rival can acquire after a loss, and then the former leader's Renew and Release do nothing.",
		needs: []capability{canLose},
		run: func(p *probe) {
			p.acquires(p.a, true)
			p.lose(p.a)
			p.eventually("a rival acquires after a loss", func() bool {
				won, err := p.b.TryAcquire(p.ctx)
				return won && err == nil
			})
			p.renews(p.a, false)
			p.release(p.a)
			p.acquires(p.a, false)
			p.names(p.a, p.b.Identity())
			p.renews(p.b, true)
			p.leads(p.b, true)
		},
	},
}
