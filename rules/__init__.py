"""The games: pure functions of data. Imports no other package of Nabu."""
