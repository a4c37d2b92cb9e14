"""The content of the page of a game that requests for parts do not need, such as its history and messages."""

from collections.abc import Sequence
from typing import Any

from server.game.computer import inquiries
from server.game.notifications import channels
from server.game.notifications.services import how_to_write_addresses
from server.game.spectators import chat
from server.game.spectators.chat import SpectatorMessageView
from server.game.views import game_view, history
from server.game.views.analysis import assessment_view
from server.game.views.game_view import GameView
from server.game.views.history import ThreadView
from server.game.views.seats import ratings_by_seat
from server.game.views.variations import Kept, Variations
from server.limits import LONGEST_CONDITIONS, LONGEST_MESSAGE
from server.store.models import Seat
from server.web.game.game_visit import GameVisit
from server.web.game.page_updates import live_game
from server.web.game.win_chart import curve
from server.web.shared.paging import MOST_LINES, asked_page, page_around
from server.web.shared.visits import require_login, visitor

_MOST_POINTS = 60
"""The largest number of turns on the curve of an analysis."""


def content(here: GameVisit, view: GameView, number: int, *, is_now: bool) -> dict[str, Any]:
    """Return the values for the template; the board shows the game after turn `number`, or as it is now."""
    session, game, seat = here.visit.session, here.game, here.seat
    labels = [seat.label for seat in view.seats]
    hint = None if seat is None else inquiries.hint_view(session, game, seat, owes=view.my_turn)
    course = _course(here, labels, number)
    thinks = bool(hint and hint.is_awaited) or course["awaits_assessment"]
    return {
        "live": live_game(session, view, is_now=is_now and here.has_begun, thinks=thinks),
        "ratings": ratings_by_seat(session, game, view.seats),
        "paused_seats": game_view.paused_seats(session, game, view, here.visit.action.now),
        "hint": hint,
        **course,
        **_history(here, [seat.name for seat in view.seats], number),
        "credits": history.credits(session, game, labels, view.zone),
        "longest_saying": LONGEST_MESSAGE,
        "longest_conditions": LONGEST_CONDITIONS,
        "notify_hint": how_to_write_addresses(),
        "notified": "" if seat is None else _notified(here, seat),
        "variations": kept_by_visitor(here),
        **_spectator_messages(here),
        "may_chat": seat is None and visitor() is not None and game.state == "running",
        "thread": None if seat is None else _thread(here, labels, seat),
    }


def _course(here: GameVisit, labels: Sequence[str], number: int) -> dict[str, Any]:
    """Return the analysis of a finished game; else whether the visitor can request one, or has done so."""
    session, game = here.visit.session, here.game
    found = inquiries.assessment_of(session, game)
    if found is not None:
        assessed = assessment_view(found, labels, game.result).thinned(_MOST_POINTS)
        return {"assessed": assessed, "curve": curve(assessed, number), "awaits_assessment": False}
    may_assess = visitor() is not None and game.state == "over" and game.turn > 1
    awaited = may_assess and inquiries.awaits_assessment(session, game, here.visit.player)
    return {"assessed": None, "may_assess": may_assess, "awaits_assessment": awaited}


def _history(here: GameVisit, names: Sequence[str], number: int) -> dict[str, Any]:
    """Return the turns of the history around turn `number`, the latest first, and their page."""
    session, game = here.visit.session, here.game
    part = page_around(history.numbers_around(session, game, number, MOST_LINES + 1), number)
    lines = (
        history.lines(session, game, names, part.numbers[-1], part.numbers[0], here.seat)
        if part.numbers
        else []
    )
    return {"turns_page": part, "history": lines[::-1]}


def _notified(here: GameVisit, seat: int) -> str:
    return channels.in_words(here.visit.action, here.visit.session.get_one(Seat, (here.number, seat)))


def kept_by_visitor(here: GameVisit) -> dict[int, Kept]:
    """Return the visitor's variations of the game by number."""
    return variations_of(here).all() if visitor() and here.has_begun else {}


def variations_of(here: GameVisit) -> Variations:
    """Return the store of the visitor's variations of the game. Raises LoginNeeded."""
    return Variations(here.visit.session, here.visit.action.sealer, here.game, require_login().number)


def _spectator_messages(here: GameVisit) -> dict[str, Any]:
    """Return the requested page of the spectator chat, as far as the visitor may see it."""
    page, visit, found, more = asked_page("spectator-messages"), here.visit, list[SpectatorMessageView](), False
    if visitor() is not None:
        found, more = chat.list_visible(
            visit.session, visit.action.sealer, here.game, visit.player, here.seat, page
        )
    return {"spectator_messages": found, "chat_page": page, "more_chat": more}


def _thread(here: GameVisit, labels: Sequence[str], seat: int) -> ThreadView:
    """Return the requested page of the messages between the players."""
    visit = here.visit
    return history.thread(visit.session, visit.action.sealer, here.game, labels, seat, asked_page("messages"))
