"""A database opens only with the keys that it was written with, and no email is returned by mistake."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from threading import Barrier

import pytest
from click.testing import CliRunner, Result

from mail.incoming.piping import Exit, Told, take
from mail.incoming.receiving import Received
from server.cli import nabu
from server.processes.services import Services, open_services
from server.settings import Settings
from server.store.db import writing
from server.store.keys import check, rotation
from server.store.keys.sealing import Sealer
from server.store.models import Game
from server.store.tokens import ReplyToken, TokenSigner
from tests.support.server.games import TwoPlayerGame
from tests.support.server.services import environment_of

OLD, NEW, WRONG = "k" * 32, "n" * 32, "w" * 32
MAIL = b"From: Ann <ann@example.org>\r\nMessage-ID: <1@x>\r\n\r\nc3\r\n"


@pytest.fixture
def command(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run a command on the database of the test with a key and earlier ones."""
    for name, value in environment_of(settings).items():
        monkeypatch.setenv(name, value)

    def run(*arguments: str, key: str = OLD, old: str = "") -> Result:
        monkeypatch.setenv("NABU_SECRET_KEY", key)
        monkeypatch.setenv("NABU_OLD_SECRET_KEYS", old)
        return CliRunner().invoke(nabu, arguments)

    return run


@pytest.fixture
def another(services: Services) -> Iterator[Callable[..., Services]]:
    """Open the database as another process does, with a key and earlier ones."""
    opened: list[Services] = []

    def reopened(key: str, old: str = "") -> Services:
        settings = services.settings.model_copy(update={"secret_key": key, "old_secret_keys": old})
        opened.append(open_services(settings, services.now))
        return opened[-1]

    yield reopened
    for each in opened:
        each.close()


def is_refused(result: Result) -> bool:
    """Return whether a command refused its key, in one line that names the fix."""
    if type(result.exception).__name__ != "WrongKey":
        return False
    said = str(result.exception)
    assert "\n" not in said
    assert "NABU_OLD_SECRET_KEYS" in said
    return True


EVERY_COMMAND = (
    ("db", "upgrade"), ("serve",), ("web",), ("mail",), ("worker",), ("export", "1"), ("admin", "held"),
    ("admin", "troubles"), ("admin", "show", "1"), ("admin", "retry", "1"), ("admin", "rotate-key"),
)  # fmt: skip


def test_no_process_starts_with_a_wrong_key(table: TwoPlayerGame, command: Callable[..., Result]) -> None:
    assert command("admin", "held").exit_code == 0
    for arguments in EVERY_COMMAND:
        assert is_refused(command(*arguments, key=WRONG)), arguments
    assert is_refused(command("admin", "held", key=WRONG, old=NEW))


def test_key_may_change_if_the_old_one_is_named(table: TwoPlayerGame, command: Callable[..., Result]) -> None:
    assert command("admin", "held").exit_code == 0
    assert command("admin", "held", key=NEW, old=OLD).exit_code == 0
    assert is_refused(command("admin", "held", key=NEW))
    assert is_refused(command("admin", "held", key=OLD))
    assert command("admin", "held", key=OLD, old=NEW).exit_code == 0
    assert command("admin", "rotate-key", key=NEW, old=OLD).exit_code == 0
    assert command("admin", "held", key=NEW).exit_code == 0
    assert is_refused(command("admin", "held", key=OLD))


def test_interrupted_rotation_still_needs_the_old_key(
    table: TwoPlayerGame, command: Callable[..., Result], another: Callable[..., Services]
) -> None:
    assert command("admin", "held").exit_code == 0
    assert command("admin", "held", key=NEW, old=OLD).exit_code == 0
    both = another(NEW, OLD)
    resealing = rotation.reseal_all(both.engine, both.sealer)
    for _ in resealing:
        assert is_refused(command("admin", "held", key=NEW))
    assert command("admin", "held", key=NEW).exit_code == 0


def test_database_without_marks_needs_a_key_that_decrypts_it(
    table: TwoPlayerGame, command: Callable[..., Result]
) -> None:
    assert is_refused(command("db", "upgrade", key=WRONG))
    assert is_refused(command("admin", "held", key=WRONG))
    assert command("db", "upgrade", key=NEW, old=OLD).exit_code == 0
    assert is_refused(command("admin", "held", key=NEW))  # nothing is resealed yet


def test_undecryptable_row_does_not_prevent_the_start(
    table: TwoPlayerGame, services: Services, command: Callable[..., Result]
) -> None:
    """A row that is damaged, or was sealed with a lost key."""
    with writing(services.engine) as session:
        game = session.get_one(Game, table.number).model_dump(exclude={"id"})
        session.add(Game(**game | {"sealed_seed": Sealer([WRONG]).seal(bytes(32))}))
    assert command("admin", "held").exit_code == 0


def test_one_of_two_simultaneous_starts_with_different_keys_is_refused(
    another: Callable[..., Services],
) -> None:
    gate = Barrier(2)

    def is_admitted(each: Services) -> bool:
        gate.wait()
        try:
            check.admit(each.engine, each.sealer, each.now())
        except check.WrongKey:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(is_admitted, (another(OLD), another(NEW)))) == [False, True]


def test_stored_mark_of_a_key_decrypts_nothing(table: TwoPlayerGame, services: Services) -> None:
    mark = services.sealer.marks[0]
    assert OLD not in mark
    assert Sealer([OLD]).marks == (mark,)
    assert Sealer([mark]).opened_by(services.sealer.seal(b"x")) is None
    assert TokenSigner([mark]).read(services.tokens.write(ReplyToken(1, 0, 1))) is None


# The response to a mail server for a reply address with an unknown key


def address(tokens: TokenSigner) -> str:
    return f"play+{tokens.write(ReplyToken(1, 0, 1))}@games.example.org"


def test_address_that_no_key_wrote_is_refused_permanently(services: Services) -> None:
    check.admit(services.engine, services.sealer, services.now())
    assert (services.reception().accepts(address(TokenSigner([WRONG]))) or "").startswith("550 5.1.1")
    assert not services.reception().owns(address(TokenSigner([WRONG])))


def test_process_with_an_outdated_key_refuses_emails_temporarily(
    services: Services, another: Callable[..., Services]
) -> None:
    check.admit(services.engine, services.sealer, services.now())
    new = another(NEW, OLD)
    check.admit(new.engine, new.sealer, new.now())
    written = address(new.tokens)
    assert new.reception().accepts(written) is None
    assert (services.reception().accepts(written) or "").startswith("451 4.3.0")
    assert services.reception().owns(written)


@pytest.fixture
def away(services: Services) -> Iterator[Services]:
    """Return the services without their tables."""
    with services.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE knownkey RENAME TO gone")
    yield services
    with services.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE gone RENAME TO knownkey")


def test_emails_are_refused_temporarily_during_a_database_outage(
    away: Services, caplog: pytest.LogCaptureFixture
) -> None:
    reception = away.reception()
    assert (reception.accepts(address(TokenSigner([WRONG]))) or "").startswith("451 4.3.0")
    assert "Traceback" not in caplog.text
    stored: list[Received] = []
    for told in (Told((address(TokenSigner([WRONG])),), True, None), Told((), False, None)):
        content = f"To: {address(TokenSigner([WRONG]))}\r\n".encode() + MAIL
        take(BytesIO(content), told, accepts=reception.accepts, store=stored.extend)
    # As a recipient, the mail server has to keep the email; in the header, Nabu stores it.
    assert [mail.recipients for mail in stored] == [(address(TokenSigner([WRONG])),)]
    certain = Told((address(TokenSigner([WRONG])),), True, None)
    assert take(BytesIO(MAIL), certain, accepts=reception.accepts, store=stored.extend) is Exit.TEMPFAIL
