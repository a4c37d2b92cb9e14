"""The games: pure functions of data. Imports nothing of ours."""
