"""What commands to the plain address do that are about a player's own account."""

from server.accounts import api_tokens, changes, logged_in, passkeys, players
from server.errors import BadRequest
from server.game import confirming
from server.game.vocabulary import ADDRESS, CANCEL, CONFIRM, DATA, DELETE, LOGINS, LOGOUT, PASSKEY, TOKEN
from server.inbound.account_mail import AccountMail
from server.inbound.handlers import Handlers
from server.outbound.letters.account import LoggedIn, OwnData, Settled, TokenMade, Tokens
from server.store.letters.account import TokenAdded
from server.store.models import Player

HANDLERS = Handlers[AccountMail]()


@HANDLERS.of(ADDRESS)
def _settle_addresses(mail: AccountMail, text: str) -> None:
    """List them, or change one: add, main or remove."""
    player, session = mail.player, mail.action.session
    what, _, email = text.strip(" .").partition(" ")
    match what.lower(), email.strip():
        case "", "":
            mail.answer(Settled(_addresses_of(mail, player)))
        case "add", written if written:
            mail.answer(Settled(changes.add(mail.action, player, written, mail.own)))
        case "main", written if written:
            mail.answer(Settled(changes.make_main(mail.action, player, written, mail.own)))
        case "remove", written if written:
            mail.answer(Settled(changes.remove(session, player, written, mail.own)))
        case _:
            raise BadRequest(
                "Write “address” for a list, or what to do with one: address add ann@example.org, address main "
                "ann@example.org, or address remove ann@example.org."
            )


def _addresses_of(mail: AccountMail, player: Player) -> str:
    others = [each for each in players.addresses_of(mail.action.session, player) if each != player.email]
    listed = f" You can also write from: {', '.join(others)}." if others else ""
    return f"Your email goes to {player.email}.{listed}"


@HANDLERS.of(CONFIRM)
def _confirm(mail: AccountMail, number: str) -> None:
    mail.answer(Settled(confirming.confirm(mail.action, _number(number), mail.reading.sender)))


@HANDLERS.of(CANCEL)
def _cancel(mail: AccountMail, number: str) -> None:
    mail.answer(Settled(confirming.cancel(mail.action, _number(number), mail.reading.sender)))


@HANDLERS.of(DATA)
def _send_data(mail: AccountMail, _: str) -> None:
    mail.answer(OwnData(players.identity(mail.player)))


@HANDLERS.of(DELETE)
def _ask_to_delete(mail: AccountMail, _: str) -> None:
    mail.answer(Settled(changes.ask_to_delete(mail.action, mail.player)))


def _number(written: str) -> int:
    """That of a change; 0 for none, which no change has."""
    return int(written or 0)


@HANDLERS.of(LOGINS)
def _list_logins(mail: AccountMail, _: str) -> None:
    mail.answer(LoggedIn(players.identity(mail.player)))


@HANDLERS.of(LOGOUT)
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


@HANDLERS.of(PASSKEY)
def _remove_passkey(mail: AccountMail, text: str) -> None:
    what, _, number = text.strip(" .").partition(" ")
    if what.lower() != "remove" or not number:
        raise BadRequest(
            "Write “logins” for a list of your passkeys, and then, for example: passkey remove 2. You can add "
            "one on the web pages, under your settings, at “Where you are logged in”."
        )
    name = passkeys.remove(mail.action.session, mail.player, number.strip().lstrip("#"))
    mail.answer(Settled(f"The passkey “{name}” is removed: nobody can log in with it any more."))


@HANDLERS.of(TOKEN)
def _settle_tokens(mail: AccountMail, text: str) -> None:
    """List them, make one or withdraw one."""
    player, session = mail.player, mail.action.session
    what, _, argument = text.strip(" .").partition(" ")
    match what.lower(), argument.strip():
        case "", "":
            mail.answer(Tokens(players.identity(player)))
        case "add", name if name:
            token, secret = api_tokens.add(mail.action, player, name)
            mail.answer(TokenMade(token.number, token.name, secret))
            if mail.reading.sender != player.email:
                told = TokenAdded(token.number, token.name, f"by an email from {mail.reading.sender}")
                mail.action.put_to_player(player, told)
        case "remove", number if number:
            name = api_tokens.remove(session, player, number.lstrip("#"))
            mail.answer(Settled(f"The token “{name}” is withdrawn: no program can use it any more."))
        case _:
            raise BadRequest(
                "Write “token” for a list, or what to do with one: token add NAME, or token remove NUMBER."
            )
