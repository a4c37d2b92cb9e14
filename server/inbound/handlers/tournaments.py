"""The handlers of commands about tournaments."""

from server.accounts import players
from server.actions.tournaments import MAKE
from server.commands.account_words import STANDINGS, TOURNAMENT, TOURNAMENTS
from server.errors import BadRequest
from server.inbound.handlers.places import find_tournament
from server.inbound.handlers.registry import Handlers, carrying_out
from server.inbound.request import AccountMail
from server.interpretation.options import read_standings
from server.outbound.letters.tournaments import Tournaments, TournamentSheet
from server.store.models import Tournament
from server.tournaments import signup
from server.tournaments.description import rounds_in_words
from server.tournaments.rows import existing, identity

HANDLERS = Handlers[AccountMail]()


@HANDLERS.handles(TOURNAMENTS)
def _list(mail: AccountMail, _: str) -> None:
    mail.answer(Tournaments(players.identity(mail.player)))


@HANDLERS.handles(STANDINGS)
def _show(mail: AccountMail, argument: str) -> None:
    named, wanted = read_standings(argument)
    tournament = existing(mail.action.session, _number(mail, named))
    shown = _round(tournament, wanted) if wanted else 0
    mail.answer(TournamentSheet(identity(tournament), players.identity(mail.player), round=shown))


def _round(tournament: Tournament, written: str) -> int:
    """Return the requested round. Raises BadRequest if it does not exist, or has not started."""
    number, last = identity(tournament), tournament.round
    if not last:
        raise BadRequest(f"Tournament {number}, {tournament.name}, has not started, so it has no games yet.")
    if not written.isdecimal() or not 1 <= int(written[:4]) <= last:
        raise BadRequest(
            f"Tournament {number}, {tournament.name}, has the games of {rounds_in_words(1, last)}: write for "
            f"example “standings {number} round={last}”."
        )
    return int(written)


HANDLERS.handles(TOURNAMENT)(carrying_out(MAKE))


def _number(mail: AccountMail, named: str) -> int:
    """Return the named tournament; without a name, the only one in which the writer takes part."""
    if named:
        return find_tournament(mail.action.session, STANDINGS, named)
    own = signup.entered(mail.action.session, mail.player)
    if len(own) != 1:
        numbers = ", ".join(map(str, own)) or "none"
        raise BadRequest(f"Say which tournament, for example: standings 3. You take part in: {numbers}.")
    return own[0]
