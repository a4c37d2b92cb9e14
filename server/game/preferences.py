"""What a player chooses about time and mail: zone, reminders, digest, vacation, mute.

Each function gives the answer: sentences for the player.
"""

from datetime import datetime

from sqlmodel import col, select

from server.accounts import players
from server.clock import pauses, vacations
from server.clock.digests import digest_in_words, read_digest, write_digest
from server.clock.errors import BadTime
from server.clock.moments import read_zone, write_moment
from server.clock.reminders import read_reminders, reminders_in_words, write_reminders
from server.clock.spans import HOUR, ZERO, limited, read_span, roughly
from server.errors import BadRequest
from server.game import pausing, timing
from server.game.digests import catch_up, plan, unmute
from server.game.table import table_of, tell_of_clock
from server.store.db import locked
from server.store.deferral import LONGEST_MUTE
from server.store.models import Game, Pause, Player, Seat
from server.store.outbox import Action

_SWITCH = {"on": True, "off": False}


def set_zone(action: Action, player: Player, text: str) -> str:
    """Show moments in another zone; it decides about deadlines from the next turn on. Raises BadRequest."""
    try:
        zone = read_zone(text)
    except BadTime as error:
        raise BadRequest(str(error)) from None
    player.zone = zone.key
    _plan_digest(action, player)
    return f"Your time zone is {zone.key}: now it is {write_moment(action.now, zone)}."


def set_reminders(action: Action, player: Player, text: str) -> str:
    """Choose when to be reminded. Raises BadRequest."""
    try:
        choice = read_reminders(text)
    except BadTime as error:
        raise BadRequest(str(error)) from None
    player.reminders = write_reminders(choice)
    timing.settle_all(action.session, player, action.now)
    return reminders_in_words(choice)


def set_digest(action: Action, player: Player, text: str) -> str:
    """Choose between a mail for each turn and one for all, daily or weekly. Raises BadRequest."""
    try:
        control = read_digest(text, players.zone(player))
    except BadTime as error:
        raise BadRequest(str(error)) from None
    player.digest = write_digest(control)
    _plan_digest(action, player)
    return digest_in_words(control, action.now)


def take_vacation(action: Action, player: Player, text: str) -> str:
    """Announce vacation, or end it with "off"; say how things stand, without a text. Raises BadRequest."""
    if not text.strip():
        return " ".join([*vacation_in_words(action, player), f"To change that, {vacations.AS_IN}"])
    if vacations.is_off(text):
        return _end_vacation(action, player)
    if text.lower().startswith("auto"):
        return set_auto_vacation(action, player, text[len("auto") :].strip())
    locked(action.session, Player, player.id)  # what he has left must not be spent twice
    zone = players.zone(player)
    try:
        vacation = vacations.read_vacation(text, action.now, zone)
        vacations.check_budget(vacation, pausing.vacations_of(action.session, player), zone)
    except BadTime as error:
        raise BadRequest(str(error)) from None
    pausing.add_vacation(action.session, player, vacation)
    staying = []
    for each in timing.settle_all(action.session, player, action.now):
        due = each.seat.deadline_at
        if due is None:
            continue
        if each.is_moved:
            tell_of_clock(table_of(action, each.game), each.seat)
        elif vacation.start <= due < vacation.end:
            too_soon = f"Your move in game {each.game.id} is not put off, as it is due too soon"
            staying.append(f"{too_soon}: {_moment(player, due)}.")
    return " ".join(
        [f"You are on vacation {_stretch(player, vacation)}.", *staying, _vacation_left(action, player)]
    )


def vacation_in_words(action: Action, player: Player) -> list[str]:
    """What vacation a player has announced, and how much he has left, as sentences."""
    announced = [
        f"You are on vacation {_stretch(player, vacation)}."
        for vacation in pausing.vacations_of(action.session, player)
        if vacation.why is pauses.Why.VACATION and vacation.end > action.now
    ]
    return [*announced, _vacation_left(action, player)]


def set_auto_vacation(action: Action, player: Player, text: str) -> str:
    """Choose whether the server spends vacation when time is up: "on" or "off". Raises BadRequest."""
    switch = _SWITCH.get(text.lower().removeprefix("vacation").strip(" .!"))
    if switch is None:
        raise BadRequest("Write: auto vacation on, or: auto vacation off.")
    player.auto_vacation = switch
    if switch:
        return "When your time is up in a game, an hour of your vacation is spent, as long as there is any."
    return "No vacation of yours is spent but what you announce."


def set_forced_moves(action: Action, player: Player, text: str) -> str:
    """Choose whether a move that is the only legal one is played at once: "on" or "off". Raises BadRequest."""
    switch = _SWITCH.get(text.lower().strip(" .!"))
    if switch is None:
        raise BadRequest("Write: forced on, or: forced off.")
    player.forced_moves = switch
    if switch:
        return "Where you have only one legal move, it is played for you as soon as the other has moved."
    return "No move is played for you by itself."


def mute(action: Action, game: Game, seat: Seat, player: Player, text: str) -> str:
    """Have no mail about one game for a while, or mail again with "off". Raises BadRequest."""
    try:
        wish = read_span(text, "write mute 5d, or mute off.")
        span = limited(wish, "The time without mail", ZERO, LONGEST_MUTE)
    except BadTime as error:
        raise BadRequest(str(error)) from None
    if span < HOUR:
        unmute(action, game, seat, player)
        return "You get mail about this game again."
    seat.muted_until = action.now + span
    until = write_moment(seat.muted_until, players.zone(player))
    return (
        f"You get no mail about this game until {until}, unless it ends; then one mail tells what happened. "
        "Your deadlines stay as they are."
    )


def _stretch(player: Player, vacation: pauses.Pause) -> str:
    return f"from {_moment(player, vacation.start)} until {_moment(player, vacation.end)}"


def _vacation_left(action: Action, player: Player) -> str:
    zone = players.zone(player)
    year = action.now.astimezone(zone).year
    spent = vacations.spent(pausing.vacations_of(action.session, player), year, zone)
    left = max(vacations.BUDGET - spent, ZERO)
    return f"For {year} you have {roughly(left)} of vacation left."


def _moment(player: Player, moment: datetime) -> str:
    return write_moment(moment, players.zone(player))


def _end_vacation(action: Action, player: Player) -> str:
    """Keep what is spent of a player's vacations, and call the rest off."""
    locked(action.session, Player, player.id)
    query = select(Pause).where(Pause.player_id == player.id, Pause.why == pauses.Why.VACATION)
    left = list(action.session.exec(query.where(col(Pause.end_at) > action.now)))
    if not left:
        raise BadRequest("You have no vacation that could be ended.")
    for vacation in left:
        if vacation.start_at >= action.now:
            action.session.delete(vacation)
        else:
            vacation.end_at = action.now
    action.session.flush()
    for each in timing.settle_all(action.session, player, action.now):
        if each.is_moved:
            tell_of_clock(table_of(action, each.game), each.seat, stands=False)
    catch_up(action, player)
    return f"You have no vacation any more: your time runs. {_vacation_left(action, player)}"


def _plan_digest(action: Action, player: Player) -> None:
    """Compute anew when the digest comes, and what cannot wait for it."""
    plan(player, action.now)
    timing.settle_all(action.session, player, action.now)
    catch_up(action, player)
