"""A proposed game: its type, its options and its terms, before anything random is drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self
from zoneinfo import ZoneInfo

from rules.errors import BadData
from rules.records.proof import Seed
from rules.records.record import read_options
from rules.registry import rules_named
from rules.sentences import quoted
from server.accounts import players
from server.errors import BadRequest, refusing
from server.game.lobby import entry_conditions, recurring_games
from server.game.log import log, randomness
from server.game.terms import terms
from server.game.terms.terms import GameTerms
from server.store.models import Game, Json, Player, Seat
from server.store.outbox import ActionContext
from server.wording import Sentence


@dataclass(frozen=True)
class ProposedGame:
    """A game that a player proposes; `options` are all options of its rules, with defaults filled in."""

    rules: log.AnyRules
    options: Json
    terms: GameTerms

    @property
    def seats(self) -> int:
        """Return the number of players."""
        return len(self.rules.seats(self.options))

    @property
    def unrated(self) -> Self:
        """Return the same proposal for a game that cannot be rated."""
        return replace(self, terms=replace(self.terms, rated=None))


def read(game_type: str, options: Mapping[str, object], zone: ZoneInfo) -> ProposedGame:
    """Return the proposal in `options`, which are those of the rules and of the terms. Raises BadRequest.

    Dates and times without a zone are in `zone`, the time zone of the player who proposes.
    """
    with refusing(BadData):
        rules = rules_named(game_type)
        agreed, given = terms.terms_of_options(options, zone, simultaneous=rules.simultaneous)
        _check_names(rules, given)
        return ProposedGame(rules, read_options(rules, given), agreed)


def store(
    action: ActionContext, proposed: ProposedGame, asked: Sequence[Player], seed: Seed | None = None
) -> Game:
    """Store a game with seats in the order of `asked`, all accepted; nothing random is drawn yet.

    `seed` is for games that repeat the luck of another game; otherwise the game gets a new seed.
    """
    seed = seed or randomness.new_seed()
    game = Game(
        game_type=proposed.rules.name,
        rules_version=proposed.rules.version,
        options=proposed.options,
        terms=proposed.terms.to_json(),
        private=proposed.terms.private,
        anonymous=proposed.terms.anonymous,
        asked=[players.identity(player) for player in asked],
        setup={},
        sealed_seed=action.sealer.seal(seed.secret),
        seed_hash=seed.hash,
        position={},
        memory=[],
        created_at=action.now,
        changed_at=action.now,
    )
    action.session.add(game)
    action.session.flush()
    action.session.add_all(
        Seat(game_id=log.id_of(game), number=number, player_id=player, accepted=True)
        for number, player in enumerate(game.asked)
    )
    action.session.flush()
    return game


def _check_names(rules: log.AnyRules, given: Mapping[str, object]) -> None:
    """Raise BadRequest, with a list of all options, for an option that the game does not have."""
    known = rules.options({})
    for name in given:
        if name in entry_conditions.NAMES:
            raise BadRequest(_goes_with_seek(name, "sets who may join an open game"))
        if name == recurring_games.ALWAYS:
            raise BadRequest(_goes_with_seek(name, "makes an open game recurring"))
        if name not in known:
            names = [*known, *terms.option_names(simultaneous=rules.simultaneous)]
            raise BadRequest(f"{rules.title} has no option {quoted(name)}; it has {', '.join(names)}.")


def _goes_with_seek(name: str, effect: str) -> Sentence:
    return lambda where: (
        f"“{where.option(name)}” {effect}{where.typed(', and only works with seek')}. Leave it out here."
    )
