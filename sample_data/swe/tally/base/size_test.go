package tally

import "testing"

func TestParseSize(t *testing.T) {
	cases := []struct {
		name string
		text string
		want int64
	}{
		{"bytes", "12B", 12},
		{"by a thousand", "3 kB", 3000},
		{"by 1024", "2 MiB", 2 << 20},
		{"spaces around", "  1GB ", 1000000000},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParseSize(c.text)
			if err != nil || got != c.want {
				t.Fatalf("ParseSize(%q) = %d, %v; want %d", c.text, got, err, c.want)
			}
		})
	}
}

func TestParseSizeRefuses(t *testing.T) {
	for _, text := range []string{"", "12", "GB", "12 parsecs"} {
		if got, err := ParseSize(text); err == nil {
			t.Errorf("ParseSize(%q) = %d, want an error", text, got)
		}
	}
}
