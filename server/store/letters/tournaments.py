"""The letters that a tournament queues."""

from server.store.letters.letter import Letter, Moment


class RoundBegins(Letter):
    """A notification that rounds `first` to `last` have started: the receiver's games and the standings."""

    subject = "A new round"

    tournament: int
    player: int
    first: int
    last: int


class TournamentOver(Letter):
    """The final standings of a tournament; if `corrected`, after a result was changed."""

    subject = "The tournament is over"

    tournament: int
    corrected: bool = False


class TournamentCancelled(Letter):
    """A notification that a tournament was cancelled.

    The reason is too few players or, with `by_maker`, that its creator cancelled it or, with `why`, an
    administrator. With `begun`, it was already running.
    """

    subject = "The tournament was cancelled"
    takes_commands = False

    tournament: int
    by_maker: bool = False
    why: str = ""
    begun: bool = False


class NoPlace(Letter):
    """A notification that a tournament has started and the receiver is number `place` on the waiting list.

    `form` is "" if the tournament accepts no more players.
    """

    subject = "The tournament has started without you"

    tournament: int
    form: str
    place: int


class PlaceFree(Letter):
    """A notification that the receiver takes the place of a player who has left a tournament."""

    subject = "You have a place in the tournament"

    tournament: int


class WaitedInVain(Letter):
    """A notification to a player on the waiting list that no place became free.

    Round 2 starts or, with `over`, the tournament is over.
    """

    subject = "No place in the tournament"
    takes_commands = False

    tournament: int
    over: bool


class AdjudicatedSoon(Letter):
    """A notification that a game will be adjudicated at `moment` unless it is over by then."""

    tournament: int
    moment: Moment
