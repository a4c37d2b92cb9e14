"""A preference that is one object of the list: chosen by mail and on the page, told in help and tables.

`test_one_object` runs this in a process of its own, as the lists are read where everything else is imported.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from server.game.commands.arguments import LINE
from server.game.commands.word import Word
from server.game.preferences import PREFERENCES, Preference, TextField
from server.store.models import Player
from server.store.outbox import Action

_MOTTOS: dict[int | None, str] = {}
ADDRESS = "ann@example.org"


def set_motto(action: Action, player: Player, text: str) -> str:
    """Choose a motto."""
    _MOTTOS[player.id] = text
    return f"Your motto is {text}."


TOY = Preference(
    name="motto",
    rank=9,
    word=Word("motto TEXT", "what you play by", LINE),
    choose=set_motto,
    form=TextField(
        label="Motto",
        hint="What you play by.",
        button="Set the motto",
        value=lambda player: _MOTTOS.get(player.id, ""),
    ),
)
PREFERENCES.append(TOY)


def main(folder: Path) -> None:
    """Choose it in every way."""
    from server.game.vocabulary import PLAIN
    from server.processes.services import open_services
    from server.web import create_app
    from tests.server.browsers import add_player, logged_in
    from tests.server.written import receive
    from tests.services import settings_for, sqlite_database
    from tests.tables import rows

    settings = settings_for(sqlite_database(folder))
    services = open_services(settings, lambda: datetime(2026, 3, 1, 12, tzinfo=UTC))
    browser = logged_in(create_app(services), services, add_player(services, ADDRESS, "Ann"))

    (answer,) = receive(services, ADDRESS, settings.plain_address, "motto Slowly but surely")
    assert "Your motto is Slowly but surely." in answer.words
    page = browser.get("/settings").text
    assert 'value="Slowly but surely"' in page
    assert "Set the motto" in page
    assert browser.send("/settings/time/motto", motto="On!").status_code == 303
    assert "Your motto is On!." in browser.text("/settings")
    (answer,) = receive(services, ADDRESS, settings.plain_address, "help")
    assert "motto TEXT what you play by" in answer.words
    assert "| `motto TEXT` | what you play by |" in rows(PLAIN)
    services.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
