module tally.example/tally

go 1.21
