"""The letters that a tournament puts as it goes on."""

from dataclasses import dataclass

from server.store.letters.letter import Letter, Moment


@dataclass(frozen=True)
class RoundBegins(Letter):
    """The rounds from `first` to `last` have begun, with the receiver's games in them; how all stood before."""

    subject = "A new round"

    tournament: int
    player: int
    first: int
    last: int


@dataclass(frozen=True)
class TournamentOver(Letter):
    """A tournament is over: how everybody stands; or, if `corrected`, a result was changed since."""

    subject = "The tournament is over"

    tournament: int
    corrected: bool = False


@dataclass(frozen=True)
class TournamentCancelled(Letter):
    """Too few had entered when sign-up was over, or, if `by_maker`, its maker cancelled it.

    With `why`, an administrator ended it, before or, if it had `begun`, while it was played.
    """

    subject = "The tournament does not take place"

    tournament: int
    by_maker: bool = False
    why: str = ""
    begun: bool = False


@dataclass(frozen=True)
class NoPlace(Letter):
    """A tournament has begun, and the receiver still waits, as the `place`th of those who do.

    `form` is "" where nobody can come in any more.
    """

    subject = "The tournament has begun without you"

    tournament: int
    form: str
    place: int


@dataclass(frozen=True)
class PlaceFree(Letter):
    """Somebody left, and the receiver, who waited, plays in their place."""

    subject = "You have a place in the tournament"

    tournament: int


@dataclass(frozen=True)
class WaitedInVain(Letter):
    """The receiver waited for a place, and nobody can come in any more: the second round begins.

    Or all is `over`.
    """

    subject = "No place in the tournament"

    tournament: int
    over: bool


@dataclass(frozen=True)
class AdjudicatedSoon(Letter):
    """A game will be adjudicated unless it is over at `moment`."""

    tournament: int
    moment: Moment
