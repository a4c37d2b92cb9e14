"""The ways in: each delivers an email with its envelope, to be stored before it is acknowledged."""
