"""Computer opponents: searchers that know no game, over the contract of the rules."""
