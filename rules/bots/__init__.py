"""Computer players: searches that use only the interface of the rules and know no game."""
