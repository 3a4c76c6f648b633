1..0 # SKIP no
