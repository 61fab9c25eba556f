package model

// The names of the code of a service that more than one package prints.

// Handler is the name of the interface that receives the messages of the
// service's topics.
func (s *Service) Handler() string { return s.Go + "Handler" }

// Fed are the callbacks that a topic feeds, which are the methods of the handler.
func (s *Service) Fed() []*Callback {
	var fed []*Callback
	for _, c := range s.Callbacks {
		if c.Topic != nil {
			fed = append(fed, c)
		}
	}
	return fed
}

// Handle is the name of the method that is called for the callback.
func (c *Callback) Handle() string { return "Handle" + c.Go }

// FullName is the service's name behind that of its protobuf package.
func (s *Service) FullName() string {
	if s.File.Proto == "" {
		return s.Name
	}
	return s.File.Proto + "." + s.Name
}

// Topic is the full name of one of the service's topics.
func (s *Service) Topic(t *Topic) string {
	if s.Prefix == "" {
		return t.Name
	}
	return s.Prefix + "." + t.Name
}
