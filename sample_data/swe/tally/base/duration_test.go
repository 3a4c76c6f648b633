package tally

import (
	"testing"
	"time"
)

func TestParseDuration(t *testing.T) {
	cases := []struct {
		name string
		text string
		want time.Duration
	}{
		{"hours", "2h", 2 * time.Hour},
		{"days", "3d", 72 * time.Hour},
		{"a week", "1w", 168 * time.Hour},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParseDuration(c.text)
			if err != nil || got != c.want {
				t.Fatalf("ParseDuration(%q) = %v, %v; want %v", c.text, got, err, c.want)
			}
		})
	}
}

func TestParseDurationRefuses(t *testing.T) {
	if got, err := ParseDuration("2h later"); err == nil {
		t.Errorf("got %v, want an error", got)
	}
}
