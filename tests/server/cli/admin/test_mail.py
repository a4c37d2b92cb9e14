"""`nabu admin inbox`, `outbox`, `hold` and `release`: waiting emails and paused domains."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import CliRunner
from sqlmodel import col, select

from mail.incoming.receiving import Received
from server.cli import nabu
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.letters.account import Welcome
from server.store.models import Inbox, Outbox, Player
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken
from tests.support.mail.queues import ORDER, deeds, hold, outgoing, put
from tests.support.server.games import begin
from tests.support.server.services import Clock, environment_of

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(services: Services) -> Run:
    """Run a command of `nabu admin`; return its exit code and output."""
    environment = environment_of(services.settings)

    def done(*arguments: str) -> tuple[int, str]:
        result = CliRunner().invoke(nabu, ["admin", *arguments], env=environment)
        return result.exit_code, result.output

    return done


def test_domain_is_paused_listed_and_released(services: Services, run: Run) -> None:
    number = put(services)
    assert run("hold") == (0, "")
    code, said = run("hold", "Example.org", "they refuse us")
    assert (code, "1 email waits" in said, "nabu admin release example.org" in said) == (0, True, True)
    assert outgoing(services, number) == "paused"
    code, said = run("hold")
    assert (code, said.startswith("example.org  since 20")) == (0, True)
    assert said.endswith(" UTC  1 email waits  they refuse us\n")
    assert run("release", "example.org") == (
        0,
        "example.org gets emails again, starting with 1 email that waited, if Nabu is running.\n",
    )
    assert outgoing(services, number) == "queued"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["hold", "example.org"], "Give a reason"),
        (["hold", "nowhere", "why"], "“nowhere” is not a domain"),
        (["release", "example.org"], "example.org is not paused"),
    ],
)
def test_invalid_domain_is_reported(run: Run, arguments: list[str], told: str) -> None:
    code, said = run(*arguments)
    assert (code, told in said) == (1, True)


def queue(services: Services, *recipients: str) -> None:
    with writing(services.engine) as session:
        for each in recipients:
            ActionContext(session, services.sealer, services.now()).put(each, Welcome(ORDER))


def numbers(said: str) -> list[str]:
    return [line.split()[0] for line in said.splitlines() if line[0].isdigit() and "more" not in line]


def test_queued_emails_are_listed_the_next_one_first(services: Services, clock: Clock, run: Run) -> None:
    assert run("outbox") == (0, "")
    late = put(services, due_at=clock().replace(hour=20), attempts=2)
    queue(services, "ann@a.example")
    put(services, state="sent")
    code, said = run("outbox")
    assert code == 0
    assert said.splitlines() == [
        f"{late + 1}  2026-03-01 12:00 UTC  ann@a.example  welcome  0 attempts",
        f"{late}  2026-03-01 20:00 UTC  zoe@example.org  welcome  2 attempts  451 come back later",
    ]
    run("hold", "a.example", "they refuse us")
    assert f"{late + 1}  paused  ann@a.example  welcome" in run("outbox")[1]


def test_queued_emails_of_an_address_or_domain_are_listed_and_counted(services: Services, run: Run) -> None:
    queue(services, "ann@a.example", "ben@b.example", "cem@b.example", "ann@a.example")
    assert numbers(run("outbox", "--to", "Ann@A.example")[1]) == ["1", "4"]
    assert numbers(run("outbox", "--domain", "B.example")[1]) == ["2", "3"]
    assert run("outbox", "--domain", "c.example") == (0, "")
    code, said = run("outbox", "--limit", "3")
    assert (code, numbers(said)) == (0, ["1", "2", "3"])
    assert said.endswith("\n… and 1 more (see --limit)\n")
    code, said = run("outbox", "--to", "ann")
    assert (code, "is not an email address" in said) == (1, True)
    code, said = run("outbox", "--domain", "ann@a.example")
    assert (code, "is not a domain" in said) == (1, True)


def test_queued_email_is_shown_without_its_text(services: Services, run: Run, ann: Player, ben: Player) -> None:
    game = begin(services, "nebuchadnezzar", ann, ben, size=5)
    reply = services.tokens.write(ReplyToken(game, 0, 1))
    refused = f"553 5.7.1 <play+{reply}@games.example.org>: not\x1b[2J yours"
    with writing(services.engine) as session:
        mail = session.exec(select(Outbox).where(Outbox.game_id == game).limit(1)).one()
        mail.error, mail.failing_since = refused, services.now()
        mail.sealed = services.sealer.seal_json({"note": ORDER})
        number, key, recipient, letter = mail.id, mail.key, mail.recipient, mail.letter
    code, said = run("outbox", str(number))
    assert (code, said.splitlines()) == (
        0,
        [
            f"number        {number}",
            "state         queued",
            f"to            {recipient}",
            f"letter        {letter} of game {game}",
            "written       2026-03-01 12:00 UTC",
            "due           2026-03-01 12:00 UTC",
            "attempts      0",
            "failing since 2026-03-01 12:00 UTC",
            "last error    553 5.7.1 <play@games.example.org>: not[2J yours",
        ],
    )
    listed = run("outbox")[1]
    with writing(services.engine) as session:
        session.get_one(Outbox, number).state = "failed"
    listed += run("resend")[1]
    assert "553 5.7.1 <play@games.example.org>: not[2J yours" in listed
    for secret in (ORDER, key, reply, "\x1b"):
        assert secret not in said + listed
    code, said = run("outbox", "999")
    assert (code, "There is no email 999" in said) == (1, True)


def test_dropping_a_queued_email_is_in_the_audit_log(services: Services, run: Run) -> None:
    numbers = [put(services), put(services, state="paused")]
    for number in numbers:
        assert run("outbox-drop", str(number), "sent by mistake") == (0, f"Email {number} will not be sent.\n")
        assert outgoing(services, number) == "dropped"
        assert deeds(services)[0] == (f"discarded outgoing email {number}", "sent by mistake")
        code, said = run("outbox-drop", str(number), "again")
        assert (code, "does not wait" in said) == (1, True)
    assert run("outbox-drop", "999", "why")[0] == 1
    code, said = run("outbox-drop", str(put(services)), " ")
    assert (code, "Give a reason" in said) == (1, True)
    assert run("resend") == (0, "")


def come_in(services: Services, *mails: Received) -> list[int]:
    """Store incoming emails; return their numbers."""
    services.reception().store(mails)
    with reading(services.engine) as session:
        return [number or 0 for number in session.exec(select(Inbox.id).order_by(col(Inbox.id)))]


def test_waiting_incoming_emails_are_listed_the_oldest_first(
    services: Services, run: Run, clock: Clock
) -> None:
    assert run("inbox") == (0, "")
    held = hold(services)
    clock.advance(minutes=1)
    first, second = (
        Received("imap", "", sender, ("play@games.example.org",), text)
        for sender, text in (("Ann@A.example", b"Subject: 1\r\n\r\nb4\r\n"), ("", 3000 * b"x"))
    )
    come_in(services, first)
    come_in(services, second)
    code, said = run("inbox")
    assert (code, said.splitlines()) == (
        0,
        [
            f"{held}  2026-03-01 12:00 UTC  smtp  eve@example.com  1 kB  3 attempts  quarantined",
            f"{held + 1}  2026-03-01 12:01 UTC  imap  ann@a.example  1 kB  0 attempts  new",
            f"{held + 2}  2026-03-01 12:01 UTC  imap  <>  3 kB  0 attempts  new",
        ],
    )
    assert numbers(run("inbox", "--from", "ann@a.example")[1]) == [str(held + 1)]
    assert numbers(run("inbox", "--domain", "example.com")[1]) == [str(held)]
    assert run("inbox", "--limit", "1")[1].endswith("\n… and 2 more (see --limit)\n")
    with writing(services.engine) as session:
        session.get_one(Inbox, held).state = "done"
    assert numbers(run("inbox")[1]) == [str(held + 1), str(held + 2)]


def test_incoming_email_is_shown_without_its_text(
    services: Services, run: Run, ann: Player, ben: Player
) -> None:
    game = begin(services, "nebuchadnezzar", ann, ben, size=5)
    tag = services.tokens.write(ReplyToken(game, 0, 1))
    (number,) = come_in(
        services,
        Received(
            "lmtp",
            "192.0.2.1",
            "ann\x1b[2J@example.org",
            (f"play+{tag}@games.example.org",),
            f"Subject: {ORDER}\r\n\r\n{ORDER}\r\n".encode(),
        ),
    )
    code, said = run("inbox", str(number))
    assert (code, said.splitlines()) == (
        0,
        [
            f"number   {number}",
            "state    new",
            "came in  2026-03-01 12:00 UTC",
            "by       lmtp",
            "from     ann[2j@example.org",
            "to       play",
            f"game     {game}",
            "size     1 kB",
            "attempts 0",
            "deferred 0",
            "due      2026-03-01 12:00 UTC",
        ],
    )
    listed = run("inbox")[1]
    for secret in (ORDER, tag, "\x1b"):
        assert secret not in said + listed
    code, said = run("inbox", "999")
    assert (code, "There is no email 999" in said) == (1, True)
