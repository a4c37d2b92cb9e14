"""An email that kills the process reading it is counted, then quarantined, and does not block others."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from sqlalchemy.exc import OperationalError
from sqlmodel import Session, col, select

from mail.authentication.authenticating import Verdict
from mail.incoming.receiving import Received
from server.inbound.authorization.senders import Senders
from server.inbound.pipeline import Ahead
from server.processes.services import Services, open_services
from server.settings import Settings
from server.store import inbox
from server.store.db import reading, writing
from server.store.models import Inbox, Outbox
from tests.support.counting import named, statements
from tests.support.forks import FORKS
from tests.support.server.services import Clock

pytestmark = pytest.mark.both

_PATIENCE = 60


class _Deadly(Senders):
    """A process that checks an email with the word "poison" dies, as if it ran out of memory."""

    def __init__(self) -> None:
        super().__init__(trust=None, lookup=None)  # type: ignore[arg-type]

    def check(self, raw: bytes, *_: object) -> None:  # type: ignore[override]
        """Die immediately, or get no answer from the DNS, depending on the email."""
        if b"poison" in raw:
            os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("an email without a sender is not checked")


class _Away(Senders):
    """The database becomes unavailable while an email is read."""

    def __init__(self) -> None:
        super().__init__(trust=None, lookup=None)  # type: ignore[arg-type]

    def check(self, *_: object) -> None:  # type: ignore[override]
        """Fail like a statement of the database."""
        raise OperationalError("select 1", {}, Exception("gone"))


class _Broken(Senders):
    """The program has a fault."""

    def __init__(self) -> None:
        super().__init__(trust=None, lookup=None)  # type: ignore[arg-type]

    def check(self, *_: object) -> None:  # type: ignore[override]
        """Fail like a faulty statement."""
        raise KeyError("fault")


def _handle(settings: dict[str, object], now: datetime) -> None:
    """Handle emails until none is due, or the process dies."""
    services = open_services(Settings(**settings), lambda: now)  # type: ignore[arg-type]
    pipeline = replace(services.pipeline(), senders=_Deadly())
    while pipeline.handle_next(now):
        pass


def live(services: Services) -> int | None:
    """Handle the due emails in a process; return its exit code."""
    process = FORKS.Process(target=_handle, args=(services.settings.model_dump(), services.now()))
    process.start()
    process.join(_PATIENCE)
    return process.exitcode


def arrive(services: Services, text: str, recipient: str = "play@games.example.org") -> None:
    content = f"From: ann@example.org\nMessage-ID: <{text}@example.org>\n\n{text}\n".encode()
    received = Received("smtp", "127.0.0.1", "ann@example.org", (recipient,), content)
    services.reception().store([received])


def rows(session: Session) -> list[Inbox]:
    return list(session.exec(select(Inbox).order_by(col(Inbox.id))))


@pytest.mark.slow
def test_email_that_kills_its_process_is_quarantined(services: Services, clock: Clock) -> None:
    arrive(services, "poison")
    arrive(services, "for the administrator", "postmaster@games.example.org")
    assert live(services) == -signal.SIGKILL
    # After a restart it starts with the next one.
    assert live(services) == 0
    with reading(services.engine) as session:
        assert [(row.state, row.attempts) for row in rows(session)] == [("new", 1), ("quarantined", 0)]
    for attempt in (2, 3):
        clock.time += inbox.LEASE
        assert live(services) == -signal.SIGKILL
        with reading(services.engine) as session:
            assert rows(session)[0].attempts == attempt
    clock.time += inbox.LEASE
    assert live(services) == 0
    with reading(services.engine) as session:
        row = rows(session)[0]
        assert (row.state, row.attempts, row.why) == ("quarantined", 3, "its processing was interrupted")
        assert row.handled_at == clock.time
        assert session.exec(select(Outbox)).first() is None


def test_email_that_causes_an_error_is_quarantined_at_the_third_attempt(
    services: Services, clock: Clock
) -> None:
    arrive(services, "help")
    pipeline, states = replace(services.pipeline(), senders=_Broken()), []
    while pipeline.handle_next(clock.time):
        with reading(services.engine) as session:
            (row,) = rows(session)
        states.append((row.state, row.attempts, row.due_at - clock.time))
        clock.time = row.due_at
    later = [timedelta(minutes=minutes) for minutes in (2, 4)]
    assert states[:2] == [("new", number, wait) for number, wait in enumerate(later, 1)]
    assert (len(states), states[2][:2]) == (3, ("quarantined", 3))
    assert row.why.startswith("KeyError")


def test_database_outage_does_not_count_as_an_attempt(services: Services) -> None:
    arrive(services, "help")
    pipeline = replace(services.pipeline(), senders=_Away())
    for _ in range(inbox.MOST_ATTEMPTS + 1):
        with pytest.raises(OperationalError):
            pipeline.handle_next(services.now())
    assert services.pipeline().handle_next(services.now())
    with reading(services.engine) as session:
        assert [(row.state, row.attempts) for row in rows(session)] == [("done", 0)]


def test_handling_beyond_the_lease_changes_nothing(services: Services, clock: Clock) -> None:
    """Another process has started meanwhile, and finishes it."""

    class Slow(_Away):
        def check(self, *_: object) -> None:  # type: ignore[override]
            clock.time += inbox.LEASE + timedelta(seconds=1)
            assert services.pipeline().handle_next(clock.time)
            return services.pipeline().senders.check(b"", *_[1:])  # type: ignore[arg-type,return-value]

    arrive(services, "help")
    assert replace(services.pipeline(), senders=Slow()).handle_next(clock.time)
    with reading(services.engine) as session:
        assert [(row.state, row.attempts) for row in rows(session)] == [("done", 0)]
        assert len(list(session.exec(select(Outbox)))) == 1


def test_email_is_left_to_the_process_that_received_it_for_a_time(services: Services, clock: Clock) -> None:
    """The worker asks this once a second, and handles emails until there is none."""
    arrive(services, "help")
    pipeline, lying = services.pipeline(), timedelta(seconds=5)
    clock.time += lying - timedelta(seconds=1)
    assert (pipeline.waits(clock.time), pipeline.waits(clock.time, lying)) == (True, False)
    assert not pipeline.handle_next(clock.time, lying)
    clock.time += timedelta(seconds=1)
    assert pipeline.waits(clock.time, lying)
    assert pipeline.handle_next(clock.time, lying)
    assert not pipeline.waits(clock.time)


@pytest.mark.parametrize("count", [1, 2])
def test_email_is_claimed_by_one_process(services: Services, count: int) -> None:
    """The second process gets the next email, or none."""
    for number in range(count):
        arrive(services, f"help {number}")
    claimed = []
    for _ in range(2):
        with writing(services.engine) as session:
            row = inbox.claim(session, services.now(), timedelta(0))
            claimed.append(None if row is None else row.id)
    assert len({each for each in claimed if each is not None}) == count


def test_next_email_is_claimed_at_the_end_of_the_one_before(services: Services) -> None:
    for number in range(3):
        arrive(services, f"help {number}")
    pipeline, ahead = services.pipeline(), Ahead()
    assert pipeline.handle_next(services.now(), ahead=ahead)
    with reading(services.engine) as session:
        assert [(row.state, row.attempts) for row in rows(session)] == [("refused", 0), ("new", 1), ("new", 0)]
    # No other process handles that one; the one that claimed it continues.
    assert services.pipeline().handle_next(services.now())
    assert pipeline.handle_next(services.now(), ahead=ahead)
    assert ahead.row is None
    assert not pipeline.handle_next(services.now(), ahead=ahead)
    with reading(services.engine) as session:
        assert {(row.state, row.attempts) for row in rows(session)} == {("refused", 0), ("quarantined", 0)}


def test_email_is_written_once_before_and_once_after_it_is_handled(services: Services) -> None:
    """The first time counts the attempt, as the process may die in it."""
    with statements(services) as asked:
        arrive(services, "help")
        assert services.pipeline().handle_next(services.now())
    writes = [name for name in map(named, asked) if name.endswith(" inbox") and not name.startswith("select")]
    assert writes == ["insert inbox", "update inbox", "update inbox"]


def test_failed_handling_claims_no_other_email(services: Services) -> None:
    for number in range(2):
        arrive(services, f"help {number}")
    ahead = Ahead()
    with pytest.raises(OperationalError):
        replace(services.pipeline(), senders=_Away()).handle_next(services.now(), ahead=ahead)
    assert ahead.row is None
    with reading(services.engine) as session:
        assert [(row.state, row.attempts) for row in rows(session)] == [("new", 0)] * 2


def test_claimed_email_can_be_released(services: Services) -> None:
    for number in range(2):
        arrive(services, f"help {number}")
    pipeline, ahead = services.pipeline(), Ahead()
    assert pipeline.handle_next(services.now(), ahead=ahead)
    pipeline.give_back(ahead, services.now())
    pipeline.give_back(ahead, services.now())
    with reading(services.engine) as session:
        assert [(row.state, row.attempts, row.why) for row in rows(session)][1] == ("new", 0, "")
    assert services.pipeline().handle_next(services.now())


class _Silent(Senders):
    """The name servers do not answer."""

    def __init__(self) -> None:
        super().__init__(trust=None, lookup=lambda *_: ())  # type: ignore[arg-type]

    def check(self, *_: object) -> Verdict:
        """Find no answer."""
        return Verdict("temperror", "", why="The name servers did not answer.")


class _Faulty(Senders):
    """Checking an email runs into an error of the program."""

    def __init__(self) -> None:
        super().__init__(trust=None, lookup=None)  # type: ignore[arg-type]

    def check(self, *_: object) -> None:  # type: ignore[override]
        """Fail unexpectedly."""
        raise ValueError


def try_in_vain(services: Services, clock: Clock, senders: Senders | None) -> None:
    """Handle the due email, which is deferred; without `senders` the process dies."""
    if senders is None:
        with writing(services.engine) as session:
            assert inbox.claim(session, clock.time, timedelta(0)) is not None
    else:
        assert replace(services.pipeline(), senders=senders).handle_next(clock.time)
    clock.advance(minutes=16)


BAD_DAYS: dict[str, list[Senders | None]] = {
    "broken off in the end": [_Silent(), _Silent(), _Silent(), None],
    "broken off twice": [_Silent(), None, _Silent(), _Silent(), None],
    "a fault in the end": [_Silent(), _Silent(), _Faulty()],
    "faults first": [_Faulty(), _Faulty(), _Silent(), _Silent(), _Silent(), _Silent()],
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("day", BAD_DAYS)
def test_failing_name_servers_do_not_count_as_attempts(services: Services, clock: Clock, day: str) -> None:
    """After three such answers, one restart quarantined a move forever."""
    arrive(services, "help")
    for senders in BAD_DAYS[day]:
        try_in_vain(services, clock, senders)
        with reading(services.engine) as session:
            assert rows(session)[0].state == "new"
    assert services.pipeline().handle_next(clock.time)
    with reading(services.engine) as session:
        assert [(row.state, row.attempts) for row in rows(session)] == [("done", 0)]


def test_interruptions_do_not_use_up_the_time_for_lookups(services: Services, clock: Clock) -> None:
    arrive(services, "help")
    began = clock.time
    for senders in (None, None):
        try_in_vain(services, clock, senders)
    pipeline = replace(services.pipeline(), senders=_Silent())
    asked = 0
    with reading(services.engine) as session:
        state = rows(session)[0].state
    while state == "new" and asked < 9:
        assert pipeline.handle_next(clock.time)
        asked += 1
        with reading(services.engine) as session:
            row = rows(session)[0]
            state, clock.time = row.state, max(row.due_at, clock.time)
    assert (row.state, row.why, asked) == ("quarantined", "the sender could not be checked", 5)
    assert clock.time - began >= timedelta(minutes=30)
