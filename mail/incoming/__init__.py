"""The ways in: each hands over a mail with its envelope, to be stored before it is acknowledged."""
