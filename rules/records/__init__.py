"""Games as files: written, read, played through and verified."""
