package compat

import "github.com/coordgen/coordgen/internal/model"

// returned compares what was gone in the last version, and is there again, with what it
// was when it was there: fields, values of enums and topics, by their names.
func returned(h History, schema *model.Schema) []Finding {
	last := base(h, fileOf(schema, h))
	if last <= 0 {
		return nil
	}
	had := elementsOf(h.Versions[last])
	var all []Finding
	for i := last - 1; i >= 0; i-- { // what it was last is what counts
		c := newComparison(h.Versions[i], schema)
		c.between = h.Versions[i+1 : last+1]
		c.again(had)
		all = append(all, c.sorted()...)
	}
	return all
}

// elementsOf are the full names of the fields, the values and the topics of a file.
func elementsOf(f *model.File) map[string]bool {
	all := map[string]bool{}
	for _, m := range f.Messages {
		for _, field := range m.Fields {
			all[fieldName(m, field)] = true
		}
	}
	for _, e := range f.Enums {
		for _, v := range e.Values {
			all[valueName(e, v)] = true
		}
	}
	for _, s := range f.Services {
		for _, c := range s.Fed() {
			all[s.FullName()+"."+c.Name] = true
		}
	}
	return all
}

// again compares what was not there any more, and notes that it was there before.
func (c *comparison) again(had map[string]bool) {
	first := func(name string) bool {
		known := had[name]
		had[name] = true
		return !known
	}
	for _, m := range c.old.Messages {
		for _, o := range m.Fields {
			if next := c.messages[m.Name]; first(fieldName(m, o)) && next != nil {
				for _, n := range next.Fields {
					if n.Name == o.Name {
						c.field(next, fieldPair{o, n})
					}
				}
			}
		}
	}
	for _, e := range c.old.Enums {
		for _, o := range e.Values {
			if next := c.enums[e.Name]; first(valueName(e, o)) && next != nil {
				if n := ofName(next, o.Name); n != nil {
					c.value(e, next, o, n)
				}
			}
		}
	}
	for _, s := range c.old.Services {
		for _, o := range s.Fed() {
			if _, n := c.callback(s, o); first(s.FullName()+"."+o.Name) && n != nil {
				c.topic(s, o, false)
			}
		}
	}
}
