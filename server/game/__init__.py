"""A game at its table: its log, its clock, its secrets, its turns. The door to it is `server.play`."""
