package orders

// Version 1 weighed orders in grams.

func migrateOrderWeight(m *Order) error {
	m.Kilograms, m.Grams = float64(m.Grams)/1000, 0
	return nil
}

func revertOrderWeight(m *Order) error {
	m.Grams, m.Kilograms = int64(m.Kilograms*1000), 0
	return nil
}
