package wire

import (
	"fmt"
	"slices"
	"time"
)

// The first and the last second of the years 1 to 9999, after 1970 in UTC.
const (
	firstSecond = -62135596800
	lastSecond  = 253402300799
)

const wantTime = `a time such as "2006-01-02T15:04:05.123456+00:00"`

func badTime(text []byte, why string) error {
	return fmt.Errorf("%w: found the time %q, which %s; want %s", ErrValue, clip(text), why, wantTime)
}

// parseTime reads a time in RFC 3339, with an offset, and returns it in UTC. It
// is stricter than the standard library: no comma before the fraction, two digits
// everywhere, offsets below 24 hours.
func parseTime(text []byte) (time.Time, error) {
	const date = len("2006-01-02T15:04:05")
	if len(text) < date {
		return time.Time{}, badTime(text, "is not in the form of RFC 3339")
	}
	d := (*[date]byte)(text)
	century, ofCentury := number2(d[0], d[1]), number2(d[2], d[3])
	month, day := number2(d[5], d[6]), number2(d[8], d[9])
	hour, minute, second := number2(d[11], d[12]), number2(d[14], d[15]), number2(d[17], d[18])
	if d[4] != '-' || d[7] != '-' || d[10] != 'T' || d[13] != ':' || d[16] != ':' ||
		century|ofCentury|month|day|hour|minute|second < 0 {
		return time.Time{}, badTime(text, "is not in the form of RFC 3339")
	}
	year := century*100 + ofCentury
	rest, nanos := text[date:], 0
	if len(rest) > 0 && rest[0] == '.' {
		digits := 0
		for rest = rest[1:]; digits < len(rest) && rest[digits]-'0' <= 9; digits++ {
			nanos = nanos*10 + int(rest[digits]-'0')
		}
		if digits == 0 || digits > 9 {
			return time.Time{}, badTime(text, "has not 1 to 9 digits behind the point")
		}
		nanos *= int(powers[9-digits])
		rest = rest[digits:]
	}
	offset, ok := parseOffset(rest)
	switch {
	case len(rest) == 0:
		return time.Time{}, badTime(text, "has no offset from UTC")
	case !ok:
		return time.Time{}, badTime(text, "has no offset that can be read")
	case month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59:
		return time.Time{}, badTime(text, "does not exist")
	}
	sec := int64(daysTo(year, month, day)*86400+hour*3600+minute*60+second) - offset
	if sec < firstSecond || sec > lastSecond {
		return time.Time{}, fmt.Errorf("%w: found the time %q, want one in the years 1 to 9999", ErrRange, clip(text))
	}
	return time.Unix(sec, int64(nanos)).UTC(), nil
}

// daysTo returns how many days a date of the Gregorian calendar is after 1970. Its
// years begin in March, so that the day that some have more is their last.
func daysTo(year, month, day int) int {
	if month -= 3; month < 0 {
		month += 12
		year--
	}
	const untilMarch1970 = 719468 // from March of year 0
	return 365*year + year/4 - year/100 + year/400 + (153*month+2)/5 + day - 1 - untilMarch1970
}

// number2 returns the number that two digits are, or less than 0.
func number2(tens, ones byte) int {
	tens -= '0'
	ones -= '0'
	if tens > 9 || ones > 9 {
		return -1
	}
	return int(tens)*10 + int(ones)
}

// parseOffset reads "Z" or "+02:00", in seconds.
func parseOffset(text []byte) (int64, bool) {
	if len(text) == 1 && text[0] == 'Z' {
		return 0, true
	}
	if len(text) != len("+02:00") || text[3] != ':' || text[0] != '+' && text[0] != '-' {
		return 0, false
	}
	hours, minutes := number2(text[1], text[2]), number2(text[4], text[5])
	if hours < 0 || hours > 23 || minutes < 0 || minutes > 59 {
		return 0, false
	}
	offset := int64(hours)*3600 + int64(minutes)*60
	if text[0] == '-' {
		offset = -offset
	}
	return offset, true
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// appendTime appends the time of that many nanoseconds behind a second, which is in
// the years 1 to 9999, in quotes and in UTC: without a fraction where it is zero, with
// six digits where microseconds say all, else with nine.
func appendTime(b []byte, second int64, nanos uint) []byte {
	const longest = len(`"2006-01-02T15:04:05.123456789+00:00"`)
	at := len(b)
	b = slices.Grow(b, longest)
	text := (*[longest]byte)(b[at : at+longest])
	second -= firstSecond
	year, month, day := date(uint32(second / 86400))
	ofDay := uint(second % 86400)
	putPair(text[1:], year/100)
	putPair(text[3:], year%100)
	putPair(text[6:], month)
	putPair(text[9:], day)
	putPair(text[12:], ofDay/3600)
	putPair(text[15:], ofDay/60%60)
	putPair(text[18:], ofDay%60)
	text[0], text[5], text[8], text[11], text[14], text[17] = '"', '-', '-', 'T', ':', ':'
	end := 20
	if nanos != 0 {
		micros := nanos / 1000
		text[20] = '.'
		putPair(text[21:], micros/10_000)
		putPair(text[23:], micros/100%100)
		putPair(text[25:], micros%100)
		end = 27
		if nanos %= 1000; nanos != 0 {
			text[27] = '0' + byte(nanos/100)
			putPair(text[28:], nanos%100)
			end = 30
		}
	}
	return append(b[:at+end], `+00:00"`...)
}

// date returns the date of a day, counted from the first day of the year 1. Years are
// taken to begin in March, so that a leap day is the last day of its year; centuries,
// years and months are then what whole divisions yield.
func date(day uint32) (year, month, dayOfMonth uint) {
	quarters := 4*(day+306) + 3 // of days, since the first of March in the year 0
	century := quarters / 146_097
	quarters = quarters%146_097 | 3
	ofCentury, ofYear := quarters/1461, quarters%1461/4
	n := 2141*ofYear + 197_913
	year, month, dayOfMonth = uint(100*century+ofCentury), uint(n>>16), uint(n&0xffff/2141+1)
	if month > 12 {
		year, month = year+1, month-12
	}
	return year, month, dayOfMonth
}

const twoDigits = "00010203040506070809" +
	"10111213141516171819" +
	"20212223242526272829" +
	"30313233343536373839" +
	"40414243444546474849" +
	"50515253545556575859" +
	"60616263646566676869" +
	"70717273747576777879" +
	"80818283848586878889" +
	"90919293949596979899"
