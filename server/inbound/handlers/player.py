"""The handlers of commands about a player's own account."""

from sqlmodel import Session

from server.accounts import access, account_changes, players
from server.actions import access as account_access
from server.actions import lobby, tournaments
from server.commands.account_words import ADDRESS, CANCEL, CONFIRM, DATA, DELETE, LOGINS, LOGOUT, PASSKEY, TOKEN
from server.errors import BadRequest, Unclear
from server.game.leaving import account_deletion
from server.game.lobby import challenges, seats
from server.game.log import log
from server.inbound.authorization.yes_replies import mail_answered
from server.inbound.handlers.places import find_place
from server.inbound.handlers.registry import Handlers, carrying_out
from server.inbound.request import AccountMail
from server.outbound.letters.account import Confirmation, LoggedIn, OwnData, Tokens
from server.outbound.letters.replies import DeclinedByYou
from server.store.letters.account import AccountChanged
from server.store.letters.letter import About, name_of, read
from server.store.models import Player
from server.store.models.columns import row_number
from server.tournaments import signup

HANDLERS = Handlers[AccountMail]()


_ADDRESS_ACTIONS = {
    "add": account_access.ADD_ADDRESS,
    "main": account_access.MAKE_MAIN,
    "remove": account_access.REMOVE_ADDRESS,
}


@HANDLERS.handles(ADDRESS)
def _manage_addresses(mail: AccountMail, text: str) -> None:
    """List the player's addresses, or change one: add, main or remove."""
    what, _, email = text.strip(" .").partition(" ")
    action = _ADDRESS_ACTIONS.get(what.lower())
    if not what:
        mail.answer(Confirmation(_addresses_of(mail, mail.player)))
    elif action and email.strip():
        mail.confirm(action.carry_out(mail.actor, {"email": email.strip()}))
    else:
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


@HANDLERS.handles(CONFIRM)
def _confirm(mail: AccountMail, number: str) -> None:
    sender = mail.reading.sender
    sentence = account_deletion.confirm(mail.action, _number(number), sender)
    page = "" if players.by_email(mail.action.session, sender) else "/"
    mail.answer(Confirmation(sentence, page))


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
    waits = account_changes.waiting_at(action.session, action.now, _number(text), address)
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


HANDLERS.handles(DELETE)(carrying_out(account_access.DELETE_ACCOUNT))


def _number(written: str) -> int:
    """Return the number of a change; 0 for none, which no change has."""
    return row_number(written) or 0


@HANDLERS.handles(LOGINS)
def _list_logins(mail: AccountMail, _: str) -> None:
    mail.answer(LoggedIn(players.identity(mail.player)))


@HANDLERS.handles(LOGOUT)
def _log_out(mail: AccountMail, which: str) -> None:
    """Log out one of the player's browsers, or all."""
    if which.lower() == "all":
        mail.confirm(account_access.LOG_OUT_EVERYWHERE.carry_out(mail.actor, {}))
        return
    advice = "Write “logins” for a list, and then, for example: logout 3, or: logout all."
    if not which:
        raise BadRequest(f"Say where. {advice}")
    try:
        mail.confirm(account_access.LOG_OUT.carry_out(mail.actor, {"number": which}))
    except BadRequest as problem:
        raise BadRequest(f"{problem} {advice}") from None


@HANDLERS.handles(PASSKEY)
def _remove_passkey(mail: AccountMail, text: str) -> None:
    what, _, number = text.strip(" .").partition(" ")
    if what.lower() != "remove" or not number:
        raise BadRequest(
            "Write “logins” for a list of your passkeys, and then, for example: passkey remove 2. You can add "
            "one on the web pages, under your settings, at “Devices and sessions”."
        )
    mail.confirm(account_access.REMOVE_PASSKEY.carry_out(mail.actor, {"number": number.strip()}))


@HANDLERS.handles(TOKEN)
def _manage_tokens(mail: AccountMail, text: str) -> None:
    """List the player's API tokens, make one or remove one."""
    what, _, argument = text.strip(" .").partition(" ")
    match what.lower(), argument.strip():
        case "", "":
            mail.answer(Tokens(players.identity(mail.player)))
        case "add", name if name:
            mail.confirm(account_access.ADD_TOKEN.carry_out(mail.actor, {"name": name}))
        case "remove", number if number:
            mail.confirm(account_access.REMOVE_TOKEN.carry_out(mail.actor, {"number": number}))
        case _:
            raise BadRequest(
                "For a list of your tokens, write: token. To change them, write: token add NAME, or token "
                "remove NUMBER."
            )
