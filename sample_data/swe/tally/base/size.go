// Package tally reads sizes and durations as people write them.
package tally

import (
	"fmt"
	"strconv"
	"strings"
)

var sizes = map[string]int64{
	"B":   1,
	"kB":  1000,
	"MB":  1000 * 1000,
	"GB":  1000 * 1000 * 1000,
	"KiB": 1 << 10,
	"MiB": 1 << 20,
	"GiB": 1 << 30,
}

// ParseSize returns the number of bytes that text stands for.
func ParseSize(text string) (int64, error) {
	number, unit := split(text)
	factor, known := sizes[unit]
	if !known {
		return 0, fmt.Errorf("tally: unknown unit %q in %q", unit, text)
	}
	count, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("tally: no number in %q", text)
	}
	return count * factor, nil
}

// split cuts a text where its digits end.
func split(text string) (number, unit string) {
	text = strings.TrimSpace(text)
	end := 0
	for end < len(text) && (text[end] >= '0' && text[end] <= '9') {
		end++
	}
	return text[:end], strings.TrimSpace(text[end:])
}
