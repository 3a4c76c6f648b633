"""Who acts: the loop, its tools, the scaffolds and the teachers."""
