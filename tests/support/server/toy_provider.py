"""A webhook provider defined by one object: it has settings, an address and a place in the documents.

`toys` runs this.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from mail.incoming.envelopes import enclosed
from mail.incoming.receiving import Received
from mail.incoming.webhooks.forms import header
from mail.incoming.webhooks.proofs import check_length, check_password
from mail.incoming.webhooks.provider import PostedRequest, ProviderSetting, WebhookProvider
from mail.incoming.webhooks.registry import PROVIDERS

PASSWORD = "slow-but-sure-snail"


def _read(posted: PostedRequest) -> list[Received]:
    check_password(posted.headers, posted.settings["snail_password"])
    return [enclosed("snail", posted.body, None, [header(posted.headers, "X-For")])]


TOY = WebhookProvider(
    name="snail",
    title="Snail",
    path="snail/raw",
    settings=(ProviderSetting("snail_password", "The password of the snail.", PASSWORD, check_length),),
    setup="a letter box",
    read=_read,
    believed="the snail's",
)
PROVIDERS[TOY.name] = TOY


def main(folder: Path) -> None:
    """Let it post an email, and find it in the settings and the documents."""
    import pytest
    from sqlmodel import select

    from server.processes.services import open_services
    from server.settings.loading import BadSettings, load
    from server.store.db import reading
    from server.store.models import Inbox
    from server.web import create_app
    from tests.support import document_tables
    from tests.support.mail.webhook_requests import basic
    from tests.support.server.services import settings_for, sqlite_database

    settings = settings_for(sqlite_database(folder))
    services = open_services(settings, lambda: datetime(2026, 3, 1, 12, tzinfo=UTC))
    raw = b"From: ann@example.org\r\nMessage-ID: <1@x>\r\nSubject: Hi\r\n\r\nhelp\r\n"
    client = create_app(services).test_client()
    assert client.post("/mail/snail/raw", data=raw).status_code == 404, "it must be unset"

    services = replace(services, settings=settings.model_copy(update={"snail_password": PASSWORD}))
    client = create_app(services).test_client()
    assert client.post("/mail/snail/raw", data=raw).status_code == 403
    headers = basic(f"nabu:{PASSWORD}") | {"X-For": settings.plain_address}
    assert client.post("/mail/snail/raw", data=raw, headers=headers).text == "The email is stored.\n"
    with reading(services.engine) as session:
        row = session.exec(select(Inbox)).one()
    assert (row.source, row.recipient) == ("snail", settings.plain_address)
    assert row.sealed is not None
    assert services.sealer.open(row.sealed).endswith(raw)
    services.close()

    given = {"secret_key": "k" * 32, "mail_domain": "games.example.org"}
    assert getattr(load(**given, snail_password=PASSWORD), "snail_password", "") == PASSWORD
    with pytest.raises(
        BadSettings, match=rf"NABU_SNAIL_PASSWORD=\(hidden\): .* 16 characters. Example: .*={PASSWORD}"
    ):
        load(**given, snail_password="short")
    pages = {path: path.read_text(encoding="utf-8") for path, _ in document_tables.GENERATED}
    for path, written in document_tables.GENERATED:
        pages[path] = written(pages[path])
    assert (
        f"| `NABU_SNAIL_PASSWORD` | | `{PASSWORD}` | The password of the snail. |"
        in pages[document_tables.SETTINGS]
    )
    assert "| `snail` | the request | the snail's | 503 |" in pages[document_tables.MAIL]
    assert "| Snail | a letter box | `NABU_SNAIL_PASSWORD` |" in pages[document_tables.DEPLOY]
