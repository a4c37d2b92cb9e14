"""Training of computer players, and matches that measure how strong they are."""
