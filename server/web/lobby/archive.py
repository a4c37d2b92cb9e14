"""The archive: a search for finished public games."""

from collections.abc import Sequence
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from flask import Blueprint, abort, render_template, request

from rules.registry import RULES
from rules.result import OUTCOMES
from server.clock.errors import BadTime
from server.clock.moments import day_start, read_date
from server.game.terms.game_types import every_game_type
from server.game.views import archive
from server.game.views.archive import PastView, Search
from server.web.shared.paging import LAST_PAGE, asked_page
from server.web.shared.visits import PageResponse, looking, visitor

pages = Blueprint("archive", __name__)

_PAGE = 12
_FIELDS = ("player", "game_type", "result", "since", "until")
_FIRST_DAY, _LAST_DAY = date(2000, 1, 1), date(2999, 12, 31)


@pages.get("/archive")
def search() -> PageResponse:
    """List finished games, the latest first: all, or those that match (`?player=Ann&result=won`)."""
    written = {name: request.args.get(name, "").strip() for name in _FIELDS}
    if written["game_type"] not in ("", *RULES) or written["result"] not in ("", *OUTCOMES):
        abort(404)
    days, problems = _days(written)
    if problems:
        return _page(written, problems), 422
    reader = visitor()
    zone = ZoneInfo("UTC") if reader is None else reader.zone
    wanted = Search(
        player=written["player"],
        game_type=written["game_type"],
        outcome=written["result"],
        since=day_start(days["since"], zone) if "since" in days else None,
        until=day_start(days["until"] + timedelta(days=1), zone) if "until" in days else None,
    )
    number = asked_page("page")
    with looking() as visit:
        rows = archive.found(visit.session, wanted, _PAGE + 1, _PAGE * (number - 1))
    return _page(written, {}, rows[:_PAGE], number, more=len(rows) > _PAGE and number < LAST_PAGE)


def _days(written: dict[str, str]) -> tuple[dict[str, date], dict[str, str]]:
    """Return the dates in the fields that can be read, and a sentence for each field that cannot."""
    days, problems = {}, {}
    for name in ("since", "until"):
        try:
            if written[name]:
                days[name] = min(max(read_date(written[name]), _FIRST_DAY), _LAST_DAY)
        except BadTime as problem:
            problems[name] = str(problem)
    return days, problems


def _page(
    written: dict[str, str],
    problems: dict[str, str],
    rows: Sequence[PastView] = (),
    number: int = 1,
    *,
    more: bool = False,
) -> str:
    return render_template(
        "archive.html",
        written=written,
        asked={name: text for name, text in written.items() if text},
        problems=problems,
        game_types=[(game_type.name, game_type.title) for game_type in every_game_type()],
        results=[(each, each) for each in OUTCOMES],
        rows=rows,
        page=number,
        more=more,
    )
