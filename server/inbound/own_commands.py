"""What commands to the plain address do that are about a player's own account."""

from server.accounts import logged_in, players
from server.errors import BadRequest
from server.game.vocabulary import LOGINS, LOGOUT
from server.inbound.account_mail import AccountMail
from server.inbound.handlers import Handlers
from server.outbound.letters.account import LoggedIn, Settled


def add_to(handlers: Handlers[AccountMail]) -> None:
    """Have these commands carried out."""
    handlers.of(LOGINS)(_list_logins)
    handlers.of(LOGOUT)(_log_out)


def _list_logins(mail: AccountMail, _: str) -> None:
    mail.answer(LoggedIn(players.identity(mail.player)))


def _log_out(mail: AccountMail, which: str) -> None:
    session, player = mail.action.session, mail.player
    if which.lower() == "all":
        logged_in.end_all(session, players.identity(player))
        mail.answer(Settled("You are logged out of the web pages, in all your browsers."))
        return
    found = [login for login in logged_in.of(session, player) if str(login.number) == which.lstrip("#")]
    if not found:
        wrong = f"You are not logged in with the number {which}." if which else "Say where."
        raise BadRequest(f"{wrong} Write “logins” for a list, and then, for example: logout 3, or: logout all.")
    logged_in.end(session, found[0].player_id, [found[0].number])
    mail.answer(Settled(f"You are logged out in {found[0].browser}, number {found[0].number}."))
