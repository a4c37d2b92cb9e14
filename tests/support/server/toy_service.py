"""A notification service defined by one object: it is in help, pages and documents, and gets notices.

`toys` runs this. Run as a program, it is the process that sends notices with this service.
"""

from __future__ import annotations

import urllib.request
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from urllib.error import HTTPError

from server.game.notifications.notification import NotificationMessage, SendingOutcome
from server.game.notifications.services import SERVICES, Deliver, NotificationService

_GONE = 410


def _prepare(message: NotificationMessage) -> Deliver:
    """Return a function that posts the message."""
    url = message.address.replace("pigeon:", "http:")
    return partial(_post, urllib.request.Request(url, message.title.encode()))  # noqa: S310 - http


def _post(request: urllib.request.Request) -> SendingOutcome:
    try:
        urllib.request.urlopen(request).close()  # noqa: S310 - http
    except HTTPError as answer:
        return SendingOutcome.GONE if answer.code == _GONE else SendingOutcome.LATER
    return SendingOutcome.TAKEN


TOY = NotificationService(
    name="Pigeon",
    example="pigeon://HOST/LOFT",
    where="on the roof",
    forms=(r"pigeon://[\w.]+(:[0-9]+)?/[a-z]+",),
    beginnings=("pigeon:",),
    prepare=_prepare,
)
SERVICES[TOY.name] = TOY


def main(folder: Path) -> None:
    """Notify players with it, and find it in help, pages and documents."""
    import pytest

    from server.outbound.notifications import messenger
    from server.processes.services import open_services
    from server.web import create_app
    from tests.support import document_tables
    from tests.support.server.emails import letters, receive
    from tests.support.server.games import TwoPlayerGame
    from tests.support.server.notifications import channel_count, notices_of, notices_waiting
    from tests.support.server.services import settings_for, sqlite_database
    from tests.support.web.client import logged_in
    from tests.support.web.webhook_receiver import webhook_receiver

    settings = settings_for(sqlite_database(folder))
    services = open_services(settings, lambda: datetime(2026, 3, 1, 12, tzinfo=UTC))
    table = TwoPlayerGame(services, "nelaxtam", size=10, troops=1, sea=0)
    ann, ben = table.players

    def answer_to(address: str, text: str) -> str:
        (answer,) = receive(services, address, settings.plain_address, text)
        return answer.words

    assert "Matrix, Telegram, ntfy or Pigeon as well" in answer_to(ann.email, "help email")
    assert "Pigeon: pigeon://HOST/LOFT (on the roof)" in answer_to(ann.email, "notify nowhere")
    assert "Example: pigeon://HOST/LOFT (on the roof)" in answer_to(ann.email, "notify pigeon://?")
    browser = logged_in(create_app(services), services, ben)
    assert "pigeon://HOST/LOFT" in browser.text("/settings")
    assert "pigeon://HOST/LOFT" in browser.text(f"/games/{table.number}")
    page = document_tables.with_services(document_tables.DEPLOY.read_text(encoding="utf-8"))
    assert "| Pigeon | `pigeon://HOST/LOFT` (on the roof) | 443 |" in page
    commands = document_tables.COMMANDS.read_text(encoding="utf-8")
    assert "ntfy or Pigeon" in document_tables.with_commands(commands)

    with webhook_receiver() as (port, posted), webhook_receiver(_GONE) as (other, refused):
        said = answer_to(ann.email, f"notify pigeon://127.0.0.1:{port}/loft")
        assert "When it is your turn, Pigeon will notify you." in said
        browser.send(f"/games/{table.number}/notify", where=f"pigeon://127.0.0.1:{other}/loft")
        table.submit(0, "1 d4")
        table.submit(1, "A c4")
        with pytest.MonkeyPatch.context() as sending:
            sending.setattr(messenger, "__name__", "tests.support.server.toy_service")
            send = messenger.Messenger(also=[("127.0.0.1", port), ("127.0.0.1", other)])
            assert notices_of(services, send).send_due(services.now()) == 2
            broken, good = "nonsense", f"pigeon://127.0.0.1:{port}/loft"
            messages = [NotificationMessage(each, "Coo", "", TOY.name) for each in (broken, good)]
            assert send(messages) == [SendingOutcome.LATER, SendingOutcome.TAKEN]
    title = f"Nelaxtam {table.number}: your turn, "
    assert posted == [f"{title}{ann.name}".encode(), b"Coo"]
    assert refused == [f"{title}{ben.name}".encode()]
    assert (notices_waiting(services), channel_count(services)) == (0, 1), "the missing channel is deleted"
    assert "Your channel at Pigeon no longer exists." in letters(services)[-1].words
    services.close()


if __name__ == "__main__":
    from server.outbound.notifications import messenger

    messenger.main()
