"""Vacations of a player: announcing, ending and listing them."""

from datetime import datetime

from sqlmodel import col, select

from server.accounts import players
from server.clock import pauses, vacations
from server.clock.errors import BadTime
from server.clock.moments import write_moment
from server.clock.spans import ZERO, roughly
from server.errors import Impossible, refusing
from server.game.clock import deadlines, stored_pauses
from server.game.play.loaded_game import load_game, notify_of_clock
from server.game.preferences.digests import catch_up
from server.store.db import locked
from server.store.models import Pause, Player
from server.store.outbox import ActionContext


def announce(action: ActionContext, player: Player, text: str) -> str:
    """Announce a vacation, or end it with "off"; return sentences for the player. Raises BadRequest.

    With "" nothing changes, and the sentences are about the announced vacations.
    """
    if not text.strip():
        return " ".join([*in_words(action, player), f"To take or end a vacation, {vacations.AS_IN}"])
    if vacations.is_off(text):
        return _end_vacation(action, player)
    locked(action.session, Player, player.id)  # so that the rest of the budget is not spent twice
    zone = players.zone(player)
    with refusing(BadTime):
        vacation = vacations.read_vacation(text, action.now, zone)
        vacations.check_budget(vacation, stored_pauses.vacations_of(action.session, player), zone)
    stored_pauses.store(action.session, vacation, player_id=player.id)
    staying = []
    for each in deadlines.recompute_deadlines(action.session, player, action.now):
        due = each.seat.deadline_at
        if due is None:
            continue
        if each.is_moved:
            notify_of_clock(load_game(action, each.game), each.seat)
        elif vacation.start <= due < vacation.end:
            too_soon = f"Your deadline in game {each.game.id} is too soon to be postponed"
            staying.append(f"{too_soon}: {_moment(player, due)}.")
    return " ".join(
        [f"You are on vacation {_stretch(player, vacation)}.", *staying, _vacation_left(action, player)]
    )


def in_words(action: ActionContext, player: Player) -> list[str]:
    """Return sentences about a player's announced vacations, and how many days are left."""
    announced = [
        f"You are on vacation {_stretch(player, vacation)}."
        for vacation in stored_pauses.vacations_of(action.session, player)
        if vacation.why is pauses.Why.VACATION and vacation.end > action.now
    ]
    return [*announced, _vacation_left(action, player)]


def _stretch(player: Player, vacation: pauses.PausedTime) -> str:
    return f"from {_moment(player, vacation.start)} until {_moment(player, vacation.end)}"


def _vacation_left(action: ActionContext, player: Player) -> str:
    zone = players.zone(player)
    year = action.now.astimezone(zone).year
    spent = vacations.spent(stored_pauses.vacations_of(action.session, player), year, zone)
    left = max(vacations.BUDGET - spent, ZERO)
    return f"You have {roughly(left)} of vacation left for {year}."


def _moment(player: Player, moment: datetime) -> str:
    return write_moment(moment, players.zone(player))


def _end_vacation(action: ActionContext, player: Player) -> str:
    """Cancel the rest of a player's vacations; the part that is over stays spent."""
    locked(action.session, Player, player.id)
    query = select(Pause).where(Pause.player_id == player.id, Pause.why == pauses.Why.VACATION)
    left = list(action.session.exec(query.where(col(Pause.end_at) > action.now)))
    if not left:
        raise Impossible("You have no vacation to end.")
    for vacation in left:
        if vacation.start_at >= action.now:
            action.session.delete(vacation)
        else:
            vacation.end_at = action.now
    action.session.flush()
    for each in deadlines.recompute_deadlines(action.session, player, action.now):
        if each.is_moved:
            notify_of_clock(load_game(action, each.game), each.seat, stands=False)
    catch_up(action, player)
    return (
        f"You no longer have any vacation planned, and your clock is running. {_vacation_left(action, player)}"
    )
