package tally

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

var units = map[string]time.Duration{
	"w": 7 * 24 * time.Hour,
	"d": 24 * time.Hour,
	"h": time.Hour,
	"m": time.Minute,
	"s": time.Second,
}

// ParseDuration returns the duration that text stands for, such as "2h 30m".
func ParseDuration(text string) (time.Duration, error) {
	var total time.Duration
	for _, part := range strings.Fields(text) {
		number, unit := split(part)
		factor, known := units[unit]
		if !known {
			return 0, fmt.Errorf("tally: unknown unit %q in %q", unit, part)
		}
		count, err := strconv.Atoi(number)
		if err != nil {
			return 0, fmt.Errorf("tally: no number in %q", part)
		}
		total = time.Duration(count) * factor
	}
	return total, nil
}
