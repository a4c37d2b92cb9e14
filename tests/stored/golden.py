"""The exact records and letters of the stored games, packed beside the database, for comparison.

The records must never change. After a deliberate change of letters, run `python -m tests.stored.golden` to
write them again.
"""

from __future__ import annotations

import gzip
import re
import sys
import tempfile
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path

from sqlmodel import col, select

from server.game.integrity.log_check import numbers_of_games
from server.game.log import log
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Outbox
from tests.stored.copies import FACTS, FOLDER, NAME, bring_up_to_date, open_copy, unpack
from tests.support.e2e.mailboxes import World, html_of, open_world, text_of
from tests.support.server.emails import parsed
from tests.support.server.services import Clock

LETTERS, RECORDS = FOLDER / f"{NAME}.letters.gz", FOLDER / f"{NAME}.records.gz"
_RULE = "\n" + 30 * "=" + " "
_SECRET = re.compile(r"(?<=/enter/)[\w.-]+")
"""The part of login links that contains the present time."""


def read(file: Path) -> dict[str, str]:
    """Return the texts in a packed file by title."""
    parts = gzip.decompress(file.read_bytes()).decode().split(_RULE)
    return dict(part.split("\n", 1) for part in parts if part)


def write(file: Path, texts: dict[str, str]) -> None:
    """Pack texts into a file; equal texts give equal bytes."""
    packed = "".join(f"{_RULE}{title}\n{text}" for title, text in texts.items())
    file.write_bytes(gzip.compress(packed.encode(), mtime=0))


def records(services: Services) -> dict[str, str]:
    """Return the record of each started game, as `nabu export` prints it."""
    found = {}
    for number in numbers_of_games(services.engine):
        with reading(services.engine) as session:
            game = session.get_one(Game, number)
            if game.entries:
                found[f"game {number}"] = log.record(session, game).to_json()
    return found


def letters(services: Services, world: World) -> dict[str, str]:
    """Return each queued letter as it arrives, or would if it were still true: header, text and HTML."""
    with reading(services.engine) as session:
        query = select(Outbox).where(Outbox.state == "queued").order_by(col(Outbox.id))
        waiting = [(mail.key, f"{mail.letter} {mail.id}", mail.recipient) for mail in session.exec(query)]
    delivery = services.delivery()
    while delivery.send_due(services.now()):
        pass
    delivery.connections.close()
    with reading(services.engine) as session:
        rows = session.exec(select(Outbox).where(Outbox.state == "dropped"))
        dropped = {row.key: parsed(delivery.writer.write(session, row)) for row in rows}
    arrived = {}
    for key, title, recipient in waiting:
        if key in dropped:
            arrived[title] = f"dropped: no longer true\n{_as_read(dropped[key])}"
            continue
        (mail,) = (mail for mail in world.mails_to(recipient) if f"<{key}" in str(mail["Message-ID"]))
        arrived[title] = _as_read(mail)
    return arrived


def _as_read(mail: EmailMessage) -> str:
    """Return the content of an email without attachments and without secrets that are new each time."""
    fields = [f"{name}: {value}" for name, value in mail.items()]
    files = [f"file: {part.get_filename()}" for part in mail.iter_attachments()]
    written = "\n".join([*fields, *files, "", text_of(mail), html_of(mail)])
    return _SECRET.sub("…", written.replace("\r\n", "\n"))


def main() -> None:
    """Write the letters again, and the records if there are none."""
    with tempfile.TemporaryDirectory() as folder, open_world() as (world, smtp_url):
        file = Path(folder) / "nabu.db"
        unpack(file)
        bring_up_to_date(f"sqlite:///{file}")
        clock = Clock()
        clock.time = datetime.fromisoformat(FACTS["moment"])
        services = open_copy(f"sqlite:///{file}", smtp_url, clock)
        if not RECORDS.exists():
            write(RECORDS, records(services))
        texts = letters(services, world)
        write(LETTERS, texts)
        services.close()
    sys.stdout.write(f"{len(texts)} letters\n")


if __name__ == "__main__":
    main()
