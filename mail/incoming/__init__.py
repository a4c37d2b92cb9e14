"""The ways in which emails arrive: each email is stored with its envelope, and then acknowledged."""
