package bus

// Topics returns the number of topics that have a subscription.
func (b *InMemory) Topics() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.topics)
}
