"""Games as files: written, read, replayed and verified."""
