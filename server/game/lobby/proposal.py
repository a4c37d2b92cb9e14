"""What a game is to be: its game type, its options and its terms, before anything is drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self
from zoneinfo import ZoneInfo

from rules.errors import BadData
from rules.records.proof import Seed
from rules.records.record import read_options
from rules.registry import rules_named
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
class Proposal:
    """A game as somebody proposes it; `options` are those of the rules, all filled in."""

    rules: log.AnyRules
    options: Json
    terms: GameTerms

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.rules.seats(self.options))

    @property
    def unrated(self) -> Self:
        """The same, but what comes of it counts for nobody's rating."""
        return replace(self, terms=replace(self.terms, rated=None))


def read(game_type: str, options: Mapping[str, object], zone: ZoneInfo) -> Proposal:
    """What `options`, those of its rules and of the house, say of a game. Raises BadRequest.

    Fixed moments that name no zone are in `zone`, that of whoever proposes it.
    """
    with refusing(BadData):
        rules = rules_named(game_type)
        agreed, given = terms.terms_of_options(options, zone, simultaneous=rules.simultaneous)
        _check_names(rules, given)
        return Proposal(rules, read_options(rules, given), agreed)


def store(action: ActionContext, proposal: Proposal, asked: Sequence[Player], seed: Seed | None = None) -> Game:
    """Store a game in which nothing is drawn yet, with a number of its own, and seats in the order of `asked`.

    All of them have accepted. The `seed` is a new one unless it is given.
    """
    seed = seed or randomness.new_seed()
    game = Game(
        game_type=proposal.rules.name,
        rules_version=proposal.rules.version,
        options=proposal.options,
        terms=proposal.terms.to_json(),
        private=proposal.terms.private,
        anonymous=proposal.terms.anonymous,
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
    """Raise BadRequest, listing all options, for one that the game cannot have."""
    known = rules.options({})
    for name in given:
        if name in entry_conditions.NAMES:
            raise BadRequest(_goes_with_seek(name, "who may join an open game"))
        if name == recurring_games.ALWAYS:
            raise BadRequest(_goes_with_seek(name, "how many of an open game you are up for at once"))
        if name not in known:
            names = [*known, *terms.option_names(simultaneous=rules.simultaneous)]
            raise BadRequest(f"{rules.title} has no option “{name:.40}”; it has {', '.join(names)}.")


def _goes_with_seek(name: str, what: str) -> Sentence:
    return lambda where: (
        f"“{where.option(name)}” says {what}{where.typed(': it goes with seek')}. Leave it out here."
    )
