package bustest

var topicCases = []Case{
	{
		Name: "topics-apart",
		Doc:  "A subscription gets the messages of its topic and of no similar one.",
		run: func(p *probe) {
			p.apart("orders", "order", "orders2", "Orders", "orders.placed", "orders.placed.eu", "placed", "xorders")
		},
	},
	{
		Name: "odd-topics",
		Doc:  "Topics may hold the characters \"._-\" anywhere, and those that are declared.",
		run: func(p *probe) {
			topics := []string{"__a.b-c.d", "a__b", "A-1", "a-b_c--d"}
			for _, c := range p.TopicCharacters {
				topics = append(topics, "a"+string(c)+"b", "a"+string(c)+"b"+string(c)+"c")
			}
			p.apart(topics...)
		},
	},
}

// apart publishes the topic's own name on each topic.
func (p *probe) apart(topics ...string) {
	p.Helper()
	var inboxes []*inbox
	for _, topic := range topics {
		inboxes = append(inboxes, p.subscribe(p.b, topic))
	}
	for _, topic := range topics {
		p.publish(p.a, topic, topic)
	}
	for i, topic := range topics {
		inboxes[i].expect("topic "+topic, topic)
	}
}
