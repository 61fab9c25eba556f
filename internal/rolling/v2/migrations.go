package v2

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
	m.Kilograms, m.Weight = &kilograms, nil
	return nil
}

func revertOrderWeight(m *Order) error {
	if m.Kilograms != nil {
		grams := int64(*m.Kilograms * 1000)
		m.Weight, m.Kilograms = &grams, nil
	}
	return nil
}
