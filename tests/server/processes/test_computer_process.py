"""The process of the computer players: it moves, hides secrets from its child processes, and ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from sqlmodel import col, select

from rules.analysis.subprocess_worker import Question
from server.game.computer import inquiries
from server.game.lobby import challenges
from server.game.log import envelopes
from server.game.play import moves
from server.game.play.target import Target
from server.jobs import computer_moves
from server.processes.computer_process import Computers
from server.processes.services import Services, open_services
from server.processes.thinkers import Thinker
from server.settings import Settings
from server.store.db import reading, writing
from server.store.models import Entry, Envelope, Game, Inquiry, Player
from server.store.outbox import ActionContext
from tests.support.e2e.nabu_process import Here
from tests.support.machine.waiting import await_that
from tests.support.server.computer_players import arrive, begin_solo, challenge, owing, seat_of
from tests.support.server.games import move
from tests.support.server.players import add_player
from tests.support.server.services import Clock

pytestmark = pytest.mark.slow  # it starts programs

PATIENCE = 60
ORDERS = "1 c1, 2 a7, 3 l2, 4 e5, 5 h6", "A a12, B g12, C l9, D f5, E d9"
OTHERS = "1 c1, 2 a7, 3 l2, 4 e7, 5 h6", "A a12, B g12, C l9, D f7, E d9"


@pytest.fixture
def real(settings: Settings) -> Iterator[Services]:
    """Return services with a running clock."""
    services = open_services(settings)
    yield services
    services.close()


@pytest.fixture
def ann(real: Services) -> Player:
    return add_player(real, "ann@example.org", "Ann")


@contextmanager
def running(*several: Computers) -> Iterator[None]:
    """Run the process until the end of the block."""
    for each in several:
        each.start()
    try:
        yield
    finally:
        for each in several:
            each.stop()


class Overheard:
    """Start a thinking child process; return all that it can see."""

    def __init__(self) -> None:
        self.thinker = Thinker()
        self.told: list[str] = []

    def ask(self, question: Question) -> str | None:
        self.told.append(json.dumps(question.to_json()))
        move = self.thinker.ask(question)
        assert self.thinker.child is not None
        place = Path(f"/proc/{self.thinker.child.pid}")
        self.told += [(place / file).read_text(errors="replace") for file in ("environ", "cmdline", "limits")]
        self.told.append(str((place / "cwd").readlink()))
        streams = {int(each.name): str(each.readlink()) for each in (place / "fd").iterdir()}
        assert sorted(streams) == [0, 1, 2]
        assert all(streams[stream].startswith("pipe:") for stream in (0, 1))
        self.told += streams.values()
        return move


@pytest.mark.both
def test_computing_processes_cannot_read_sealed_orders(
    services: Services, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann's orders are sealed; then Amytis thinks about hers."""
    ann = add_player(services, "ann@example.org", "Ann")
    for name in ("NABU_SECRET_KEY", "NABU_DATABASE_URL", "NABU_OLD_SECRET_KEYS"):
        monkeypatch.setenv(name, services.settings.secret_key + services.settings.database_url)
    number = challenge(services, ann, 3)
    with writing(services.engine) as session:
        action, me = ActionContext(session, services.sealer, clock()), session.get_one(Player, ann.id)
        seat = challenges.seat_of(session, session.get_one(Game, number), me) or 0
        moves.submit(action, me, Target(number, seat, 1), ORDERS[seat])
        session.flush()
        row = session.exec(select(Envelope)).one()
        secrets = [*ORDERS[seat].split(", "), row.sealed.hex(), str(row.sealed), row.commitment]
        secrets.append(envelopes.open_for(action, row)[1])
    overheard = Overheard()
    taken = computer_moves.claim(services.engine, clock())
    assert taken is not None
    computer_moves.move(services.engine, services.sealer, clock, taken, overheard.ask)
    overheard.thinker.close()
    with reading(services.engine) as session:
        assert session.get_one(Game, number).turn == 2, "both orders were in"
    secrets += [services.settings.secret_key, services.settings.database_url, "NABU_", "Ann", "example.org"]
    assert len(overheard.told) > 5
    for secret in secrets:
        assert not [told for told in overheard.told if secret in told], secret


def test_question_does_not_depend_on_sealed_orders(services: Services, clock: Clock) -> None:
    ann = add_player(services, "ann@example.org", "Ann")
    number = challenge(services, ann, 5)
    asked: list[Question] = []

    def listen(question: Question) -> None:
        asked.append(question)

    for orders in (None, ORDERS, OTHERS):
        if orders is not None:
            with writing(services.engine) as session:
                action, me = ActionContext(session, services.sealer, clock()), session.get_one(Player, ann.id)
                seat = challenges.seat_of(session, session.get_one(Game, number), me) or 0
                moves.submit(action, me, Target(number, seat, 1), orders[seat])
        taken = computer_moves.claim(services.engine, clock())
        assert taken is not None
        computer_moves.move(services.engine, services.sealer, clock, taken, listen)
    assert asked[0] == asked[1] == asked[2]
    assert set(asdict(asked[0])) == {
        *("game_type", "options", "position", "memory", "seat", "seats", "level", "seconds", "work"),
    }
    json.dumps(asdict(asked[0]))


@pytest.mark.both
def test_two_processes_play_every_turn_once(real: Services, settings: Settings, ann: Player) -> None:
    numbers = [challenge(real, ann, level, game_type="nibble") for level in (1, 2, 3) for _ in range(3)]
    other = open_services(settings)
    both = [Computers(services, poll=0.02) for services in (real, other)]
    with running(*both):
        await_that(lambda: owing(real) == [])
    other.close()
    with reading(real.engine) as session:
        for number in numbers:
            game = session.get_one(Game, number)
            turns = select(Entry.turn).where(Entry.game_id == number, col(Entry.turn).is_not(None))
            played = session.exec(turns)
            assert list(played) == list(range(1, game.turn))
            assert game.turn <= 2


def test_stopped_process_leaves_its_turn_to_others(real: Services, ann: Player) -> None:
    number = challenge(real, ann, 5, game_type="nelaxtam", size=14, troops=5)
    computers = Computers(real, poll=0.02)
    with running(computers):
        await_that(lambda: any(getattr(each, "child", None) for each in computers.thinkers))
        began = time.monotonic()
    assert time.monotonic() - began < 10
    assert owing(real) == [number]
    assert computer_moves.claim(real.engine, real.now()) is not None


class Unhurried(Here):
    """Thinks about a move of the strongest player until it is asked to hurry."""

    def __init__(self) -> None:
        super().__init__()
        self.thinking, self.haste = threading.Event(), threading.Event()

    def ask(self, question: Question) -> str:
        if question.level == 5:
            self.thinking.set()
            self.haste.wait()
            self.haste.clear()
        return super().ask(question)

    def hurry(self) -> None:
        self.haste.set()

    def close(self) -> None:
        self.haste.set()


def test_player_at_a_page_waits_for_no_other_turn(real: Services, ann: Player) -> None:
    alone = replace(real, settings=real.settings.model_copy(update={"computer_processes": 1}))
    away = [challenge(real, ann, 5, game_type="nelaxtam") for _ in range(3)]
    computers = Computers(alone, poll=0.02, make=Unhurried)
    (thinker,) = computers.thinkers
    assert isinstance(thinker, Unhurried)
    with running(computers):
        assert thinker.thinking.wait(PATIENCE)
        here = challenge(real, ann, 1)
        arrive(real, here, ann)
        await_that(lambda: here not in owing(real))
        assert owing(real) == away[1:], "earlier thinking is not lost"


def environment(settings: Settings) -> dict[str, str]:
    names = ("secret_key", "mail_domain", "database_url", "check_senders")
    given = {f"NABU_{name.upper()}": str(getattr(settings, name)) for name in names}
    return {"PATH": os.environ["PATH"], **given, "NABU_COMPUTER_PROCESSES": "1"}


@pytest.mark.long
@pytest.mark.parametrize("command", ["worker", "worker --computer"])
def test_only_the_computer_process_computes_moves(
    real: Services, settings: Settings, ann: Player, command: str
) -> None:
    number = challenge(real, ann, 1)
    with subprocess.Popen(
        [sys.executable, "-m", "server", *command.split()],
        env=environment(settings),
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stderr is not None
        await_that(lambda: "running" in str(running.stderr and running.stderr.readline()))
        if command == "worker":
            time.sleep(2)
            assert owing(real) == [number]
        else:
            await_that(lambda: owing(real) == [])
        running.send_signal(signal.SIGTERM)
        running.communicate(timeout=PATIENCE)
    assert running.returncode == 0


@pytest.mark.first
def test_computer_process_answers_requests_of_players(real: Services, ann: Player) -> None:
    number = begin_solo(real, ann, "nebuchadnezzar", size=4)
    seat = seat_of(real, number, ann)
    for _ in range(8):  # the rest of the game is searched in less time
        move(real, number)
    with running(Computers(real, poll=0.05)):
        await_that(lambda: not owing(real))
        with writing(real.engine) as session:
            target = Target(number, seat, session.get_one(Game, number).turn)
            action = ActionContext(session, real.sealer, real.now())
            inquiries.ask_hint(action, session.get_one(Player, ann.id), target, by_mail=False)
        await_that(lambda: _hint(real) is not None)


def _hint(services: Services) -> object:
    with reading(services.engine) as session:
        return session.exec(select(Inquiry)).one().answer
