"""The handlers of commands about a player's own account."""

from sqlmodel import Session

from server.accounts import access, account_changes, players
from server.accounts.login import api_tokens, passkeys, sessions
from server.actions import lobby, tournaments
from server.commands.account_words import ADDRESS, CANCEL, CONFIRM, DATA, DELETE, LOGINS, LOGOUT, PASSKEY, TOKEN
from server.errors import BadRequest, Unclear
from server.game.leaving import account_deletion
from server.game.lobby import challenges, seats
from server.game.log import log
from server.inbound.authorization.yes_replies import mail_answered
from server.inbound.handlers.places import find_place
from server.inbound.handlers.registry import Handlers
from server.inbound.request import AccountMail
from server.outbound.letters.account import Confirmation, LoggedIn, OwnData, TokenMade, Tokens
from server.outbound.letters.replies import DeclinedByYou
from server.store.letters.account import AccountChanged
from server.store.letters.letter import About, name_of, read
from server.store.models import Player
from server.tournaments import signup

HANDLERS = Handlers[AccountMail]()


@HANDLERS.handles(ADDRESS)
def _manage_addresses(mail: AccountMail, text: str) -> None:
    """List the player's addresses, or change one: add, main or remove."""
    player = mail.player
    what, _, email = text.strip(" .").partition(" ")
    match what.lower(), email.strip():
        case "", "":
            mail.answer(Confirmation(_addresses_of(mail, player)))
        case "add", written if written:
            mail.answer(Confirmation(account_changes.add(mail.action, player, written, mail.own)))
        case "main", written if written:
            mail.answer(Confirmation(account_changes.make_main(mail.action, player, written, mail.own)))
        case "remove", written if written:
            mail.answer(
                Confirmation(account_changes.remove(mail.action, player, written, mail.own, _here(mail)))
            )
        case _:
            raise BadRequest(
                "For a list of your addresses, write: address. To change one, write for example: address add "
                "ann@example.org, address main ann@example.org, or address remove ann@example.org."
            )


def _addresses_of(mail: AccountMail, player: Player) -> str:
    session = mail.action.session
    others = [each for each in players.addresses_of(session, player) if each != player.email]
    full = [each for each in others if players.logs_in_from(session, player, each)]
    listed = f" You can also log in and send moves from: {', '.join(full)}." if full else ""
    if senders := [each for each in others if each not in full]:
        listed += f" You can only send moves from: {', '.join(senders)}."
    return f"Your email goes to {player.email}.{listed}"


def _here(mail: AccountMail) -> str:
    """Return the origin of an account change, for the report: "by an email from ann@example.org"."""
    return f"by an email from {mail.reading.sender}"


@HANDLERS.handles(CONFIRM)
def _confirm(mail: AccountMail, number: str) -> None:
    mail.answer(Confirmation(account_deletion.confirm(mail.action, _number(number), mail.reading.sender)))


@HANDLERS.handles(CANCEL)
def _cancel(mail: AccountMail, text: str) -> None:
    """Cancel a pending account change, a challenge, an open game or a tournament.

    Without a number, in a reply to the report of an account change, undo that change.
    """
    changed = None if text else _reported_change(mail)
    if changed is not None:
        if access.undo(mail.action, changed) is None:
            raise BadRequest(f"Account changes can be undone only within {access.UNDO_WITHIN.days} days.")
        mail.answer(Confirmation(access.UNDONE))
        return
    action, address = mail.action, mail.reading.sender
    player = players.by_email(action.session, address)
    waits = text.isdecimal() and account_changes.waiting_at(action.session, action.now, int(text), address)
    if player is None or not text or not players.logs_in_from(action.session, player, address):
        mail.answer(Confirmation(account_deletion.cancel(action, _number(text), address)))
        return
    made, own = signup.made(action.session, player), _own_games(action.session, player)
    place = find_place(action.session, CANCEL, text, own.__contains__, made.__contains__)
    if waits and (place.number in own or place.is_tournament):
        kind = "tournament" if place.is_tournament else "game"
        raise Unclear(
            f"There is an account change {text}, and a {kind} {text}. To cancel the change, use the link in "
            f"the email about it. To cancel the {kind}, write: cancel {kind} {text}",
        )
    if place.is_tournament:
        mail.confirm(tournaments.CANCEL.carry_out(mail.actor_in_tournament(place.number), {}))
    elif place.number not in own:
        mail.answer(Confirmation(account_deletion.cancel(action, place.number, address)))
    elif own[place.number] == "open":
        actor = mail.actor_in_game(place.number, seats.none_open(place.number))
        mail.confirm(lobby.LEAVE.carry_out(actor, {}))
    else:
        game = challenges.decline(action, player, place.number)
        place_in_game = challenges.seat_of(action.session, game, player)
        mail.answer(DeclinedByYou(), About(place.number, place=place_in_game))


def _own_games(session: Session, player: Player) -> dict[int, str]:
    """Return the open games and the pending challenges of a player, with their states."""
    games = challenges.games_of(session, player, ("open", "invited"))
    return {log.id_of(game): game.state for game, _ in games if game.asked[0] == player.id}


def _reported_change(mail: AccountMail) -> AccountChanged | None:
    """Return the account change whose report this email answers."""
    row = mail_answered(mail.action, mail.reading)
    if row is None or row.recipient != mail.reading.sender or row.letter != name_of(AccountChanged):
        return None
    letter = read(row.letter, None, mail.action.sealer.open_json(row.sealed)).letter
    return letter if isinstance(letter, AccountChanged) else None


@HANDLERS.handles(DATA)
def _send_data(mail: AccountMail, _: str) -> None:
    mail.answer(OwnData(players.identity(mail.player)))


@HANDLERS.handles(DELETE)
def _ask_to_delete(mail: AccountMail, _: str) -> None:
    mail.answer(Confirmation(account_changes.ask_to_delete(mail.action, mail.player)))


def _number(written: str) -> int:
    """Return the number of a change; 0 for none, which no change has."""
    return int(written) if written.isdecimal() else 0


@HANDLERS.handles(LOGINS)
def _list_logins(mail: AccountMail, _: str) -> None:
    mail.answer(LoggedIn(players.identity(mail.player)))


@HANDLERS.handles(LOGOUT)
def _log_out(mail: AccountMail, which: str) -> None:
    session, player = mail.action.session, mail.player
    if which.lower() == "all":
        access.log_out_everywhere(mail.action, player)
        mail.answer(Confirmation(access.LOGGED_OUT))
        return
    found = [login for login in sessions.list_logins(session, player) if str(login.number) == which.lstrip("#")]
    if not found:
        wrong = f"You are not logged in with the number {which}." if which else "Say where."
        raise BadRequest(f"{wrong} Write “logins” for a list, and then, for example: logout 3, or: logout all.")
    sessions.end(session, found[0].player_id, [found[0].number])
    mail.answer(Confirmation(f"You are logged out in {found[0].browser}, number {found[0].number}."))


@HANDLERS.handles(PASSKEY)
def _remove_passkey(mail: AccountMail, text: str) -> None:
    what, _, number = text.strip(" .").partition(" ")
    if what.lower() != "remove" or not number:
        raise BadRequest(
            "Write “logins” for a list of your passkeys, and then, for example: passkey remove 2. You can add "
            "one on the web pages, under your settings, at “Devices and sessions”."
        )
    name = passkeys.remove(mail.action.session, mail.player, number.strip().lstrip("#"))
    mail.answer(Confirmation(f"The passkey “{name}” is removed. It can no longer be used to log in."))


@HANDLERS.handles(TOKEN)
def _manage_tokens(mail: AccountMail, text: str) -> None:
    """List the player's API tokens, make one or remove one."""
    player, session = mail.player, mail.action.session
    what, _, argument = text.strip(" .").partition(" ")
    match what.lower(), argument.strip():
        case "", "":
            mail.answer(Tokens(players.identity(player)))
        case "add", name if name:
            token, secret = api_tokens.add(mail.action, player, name, _here(mail))
            mail.answer(TokenMade(token.number, token.name, secret))
        case "remove", number if number:
            name = api_tokens.remove(session, player, number.lstrip("#"))
            mail.answer(Confirmation(f"The token “{name}” is removed. Programs can no longer use it."))
        case _:
            raise BadRequest(
                "For a list of your tokens, write: token. To change them, write: token add NAME, or token "
                "remove NUMBER."
            )
