"""A preference and a choice, defined by one object each: set by email and page, and listed in help and tables.

`toys` runs this.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from server.accounts.choices import Choice, Way
from server.game.preferences.form_fields import TextField
from server.game.preferences.preferences import PREFERENCES, Preference, preference_of
from server.store.models import Player
from server.store.outbox import ActionContext

_MOTTOS: dict[int | None, str] = {}
ADDRESS = "ann@example.org"


def set_motto(action: ActionContext, player: Player, text: str) -> str:
    """Choose a motto."""
    _MOTTOS[player.id] = text
    return f"Your motto is {text}."


TOY = Preference(
    name="motto",
    rank=9,
    usage="motto TEXT",
    help="what you play by",
    topic="account",
    example="motto Slowly but surely",
    choose=set_motto,
    form=TextField(
        label="Motto",
        hint="What you play by.",
        value=lambda player: _MOTTOS.get(player.id, ""),
    ),
)
WEATHER = Choice(
    name="weather",
    label="Weather",
    help="what you play in",
    ways=(
        Way("any", "In any weather", "You play in any weather."),
        Way("warm rain", "In warm rain only", "You play in warm rain only."),
    ),
)
PREFERENCES += [TOY, preference_of(WEATHER, 10)]


def main(folder: Path) -> None:
    """Set them in every way."""
    from server.commands.vocabulary import PLAIN
    from server.processes.services import open_services
    from server.web import create_app
    from tests.support.document_tables import rows
    from tests.support.server.emails import receive
    from tests.support.server.players import add_player
    from tests.support.server.services import settings_for, sqlite_database
    from tests.support.web.client import logged_in

    settings = settings_for(sqlite_database(folder))
    services = open_services(settings, lambda: datetime(2026, 3, 1, 12, tzinfo=UTC))
    browser = logged_in(create_app(services), services, add_player(services, ADDRESS, "Ann"))

    (answer,) = receive(services, ADDRESS, settings.plain_address, "motto Slowly but surely")
    assert "Your motto is Slowly but surely." in answer.words
    page = browser.get("/settings").text
    assert 'value="Slowly but surely"' in page
    assert "What you play by." in page
    assert browser.send("/settings", motto="On!").status_code == 303
    assert "Your motto is On!." in browser.text("/settings")
    (answer,) = receive(services, ADDRESS, settings.plain_address, "help account")
    assert "motto TEXT what you play by" in answer.words
    assert "| `motto TEXT` | `motto Slowly but surely` | what you play by | |" in rows(PLAIN)

    (answer,) = receive(services, ADDRESS, settings.plain_address, "weather snow")
    assert "Write: weather any, or: weather warm rain." in answer.words
    assert '<option value="any" selected>In any weather</option>' in browser.get("/settings").text
    (answer,) = receive(services, ADDRESS, settings.plain_address, "Weather: Warm  rain.")
    assert "You play in warm rain only." in answer.words
    assert '<option value="warm rain" selected>In warm rain only</option>' in browser.get("/settings").text
    refused = browser.send("/settings", weather="snow")
    assert refused.status_code == 422
    assert "Write: weather any, or: weather warm rain." in refused.text
    assert browser.send("/settings", weather="any").status_code == 303
    assert "You play in any weather." in browser.text("/settings")
    assert any("| what you play in |" in row for row in rows(PLAIN))
    services.close()
