package v3

import "errors"

// Version 1 counted lines in dozens.

func migrateLineDozens(m *Line) error {
	m.Pieces, m.Dozens = 12*m.Dozens, 0
	return nil
}

func revertLineDozens(m *Line) error {
	if m.Pieces%12 != 0 {
		return errors.New("the pieces are no dozens")
	}
	m.Dozens, m.Pieces = m.Pieces/12, 0
	return nil
}

// Version 1 weighed orders in grams.

func migrateOrderWeight(m *Order) error {
	if m.Weight == nil {
		return errors.New("no weight")
	}
	kilograms := float64(*m.Weight) / 1000
	m.Kilograms, m.Weight, m.SchemaVersion = &kilograms, nil, 99 // what it does to the stamp counts for nothing
	return nil
}

func revertOrderWeight(m *Order) error {
	if m.Kilograms != nil {
		grams := int64(*m.Kilograms * 1000)
		m.Weight, m.Kilograms = &grams, nil
	}
	return nil
}

// Version 2 weighed them in kilograms.

func migrateOrderTons(m *Order) error {
	m.Tons = 0
	if m.Kilograms != nil {
		m.Tons = *m.Kilograms / 1000
	}
	m.Kilograms = nil
	return nil
}

func revertOrderTons(m *Order) error {
	kilograms := m.Tons * 1000
	m.Kilograms, m.Tons = &kilograms, 0
	return nil
}
