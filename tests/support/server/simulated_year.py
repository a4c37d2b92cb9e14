"""A year of many games with silent players, vacations, outages and daylight saving, in minutes of real time.

`python -m tests.support.server.simulated_year` runs 200 players and 2,000 games; the suite runs a smaller year.
It checks continuously that no deadline is handled early, late or twice, that no bank is negative, that no
player is reminded twice within twelve hours, that digests come once a period and leave nothing out, and that
something is scheduled for every running game.
"""

from __future__ import annotations

import heapq
import random
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import sqlalchemy as sql
from sqlalchemy import update
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from rules.records.proof import Seed
from server.accounts import players
from server.clock.controls import Bank, PerMove
from server.clock.digests import read_digest
from server.errors import Refused
from server.game.clock.deadlines import terms_of
from server.game.lobby import challenges
from server.game.log import log
from server.game.play import moves
from server.game.play.target import Target
from server.game.preferences import preferences
from server.jobs.table import CLOCK, RESOLVING
from server.processes.services import Services, open_services
from server.store.db import reading, writing
from server.store.models import Entry, Failure, Game, Heartbeat, Outbox, Player, Seat
from server.store.outbox import ActionContext
from tests.support.folders import memory
from tests.support.server.jobs import work_of
from tests.support.server.services import Clock, settings_for, sqlite_database

START = datetime(2026, 1, 1, tzinfo=UTC)
YEAR = timedelta(days=365)
ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "Australia/Sydney",
    "Asia/Kolkata",
    "America/Santiago",
    "Pacific/Chatham",
)
SEQUENTIAL = ("1d", "2d", "3d", "5d+1d/8d", "2d+12h/3d", "none")
SIMULTANEOUS = ("1d", "2d", "daily 20:00", "daily 02:30", "mon,thu 18:00", "3d+1d/6d")
RULES = {"nebuchadnezzar": {"size": 4}, "nelaxtam": {"size": 10, "troops": 1, "sea": 0}}
DIGESTS = ("daily 18:00", "daily 02:30", "weekly", *["off"] * 12)
_RESIGNS = 0.1
"""The probability of resigning instead of moving, so that games end."""
_SILENT = 0.12
"""The probability of never making a move."""
_CLAIMS = 0.9
"""The probability of claiming a game from an opponent whose time has run out."""
_LOOKS = 0.2
"""How often the worker runs when nothing is due."""
HALF_A_DAY = timedelta(hours=12)
LONGEST_UNREPORTED = timedelta(days=25)
"""The longest time until a report: a muted game, a week until the next digest, and an outage."""


@dataclass(order=True)
class Event:
    """An action of a player at a moment."""

    at: datetime
    number: int
    what: str = field(compare=False)
    about: tuple[int, ...] = field(compare=False, default=())


class Year:
    """The simulation; `run` simulates the year and continues until all games are over."""

    def __init__(self, services: Services, clock: Clock, people: int, games: int, seed: int) -> None:
        self.services, self.clock = services, clock
        self.random = random.Random(seed)
        self.events: list[Event] = []
        self.counts: Counter[str] = Counter()
        self.reminded: dict[str, datetime] = {}
        self.digested: dict[int, datetime] = {}
        self.seen_mail = 0
        self.due_at: datetime | None = None
        self.beaten_at = START
        self.outages = sorted(START + self.random.random() * YEAR for _ in range(8))
        clock.time = START
        self.people = [self._register(number) for number in range(people)]
        for _ in range(games):
            self._plan(self.random.random() * YEAR * 0.8, "begin")
        for person in self.people:
            for what in ("vacation", "vacation", "mute", "mute", "digest"):
                self._plan(self.random.random() * YEAR, what, person)

    def run(self) -> None:
        """Go from one event to the next."""
        CLOCK.run(work_of(self.services, self.clock))
        checked = START
        while (moment := self._next()) is not None:
            assert moment < START + 3 * YEAR, "some games never end"
            self._pass_to(max(moment, self.clock.time))
            if self._is_due() or self.random.random() < _LOOKS:
                self._tick()
            while self.events and self.events[0].at <= self.clock.time:
                self._happen(heapq.heappop(self.events))
            if self.clock.time - checked > timedelta(days=1):
                checked = self.clock.time
                self._check_all()
        self._check_end()

    def _next(self) -> datetime | None:
        """Return the time of the next event or due job; None if no game is running."""
        with reading(self.services.engine) as session:
            stale_at, *others = session.execute(_NEXT).one()
        if stale_at is None and not self.events:
            return None
        due = (stale_at, *others)
        self.due_at = min((moment for moment in due if moment is not None), default=None)
        moments = [self.due_at, *(event.at for event in self.events[:1])]
        return min((moment for moment in moments if moment is not None), default=None)

    def _is_due(self) -> bool:
        """Return whether a job is due now, or the worker was down."""
        down = self.beaten_at < self.clock.time
        return down or (self.due_at is not None and self.due_at <= self.clock.time)

    def _pass_to(self, moment: datetime) -> None:
        """Let time pass with a running worker, except during an outage."""
        if self.outages and moment >= self.outages[0]:
            began = self.outages.pop(0)
            end = began + timedelta(hours=self.random.choice((1, 5, 30, 100)))
            self.clock.time = max(end, moment)
            self._beat(began)
            self.counts["outages"] += 1
            return
        self.clock.time = moment
        self._beat(moment)

    def _beat(self, moment: datetime) -> None:
        self.beaten_at = moment
        with writing(self.services.engine) as session:
            session.execute(update(Heartbeat).values(at=moment))
            queued = update(Outbox).where(col(Outbox.state) == "queued")
            session.execute(queued.values(state="sent", sent_at=Outbox.created_at))

    def _tick(self) -> None:
        """Run due jobs, and check that they were due and that none is left."""
        now = self.clock.time
        with reading(self.services.engine) as session:
            late = {seat.game_id: seat.grace_until for seat in session.exec(_late(now))}
            before = {number: _standing(session, number) for number in late}
        CLOCK.run(work_of(self.services, self.clock))
        while RESOLVING.run_next(self.services.engine, self.services.sealer, now):
            pass
        with reading(self.services.engine) as session:
            assert session.exec(_late(now)).first() is None, "a deadline was missed"
            for number, (turn, began) in before.items():
                game = session.get_one(Game, number)
                if game.turn != turn or game.state == "over":
                    self.counts["acted on"] += 1
                    _check_not_early(game, began, now)
                self._plan_moves(session, game)
            self._check_mail(session)

    def _happen(self, event: Event) -> None:
        try:
            with writing(self.services.engine) as session:
                action = ActionContext(session, self.services.sealer, self.clock.time)
                getattr(self, f"_do_{event.what}")(action, *event.about)
            self.counts[event.what] += 1
        except Refused:
            self.counts[f"refused {event.what}"] += 1

    def _do_begin(self, action: ActionContext) -> None:
        game_type = self.random.choice(list(RULES))
        times = SIMULTANEOUS if game_type == "nelaxtam" else SEQUENTIAL
        options: dict[str, object] = {**RULES[game_type], "time": self.random.choice(times)}
        if options["time"] != "none":
            options["weekends"] = self.random.choice(("on", "on", "off"))
            options["timeout"] = self.random.choice(("lose", "claim"))
        first, second = (
            action.session.get_one(Player, number) for number in self.random.sample(self.people, 2)
        )
        seed = Seed(self.random.randbytes(32))
        game = challenges.challenge(action, first, [second], game_type, options, seed=seed)
        challenges.accept(action, second, log.id_of(game))
        action.session.flush()
        self._plan_moves(action.session, game)

    def _do_move(self, action: ActionContext, number: int, seat: int, turn: int) -> None:
        game = action.session.get_one(Game, number)
        target, player = log.seats(action.session, game)[seat]
        if game.state != "running" or game.turn != turn or not target.owes:
            return
        if self.random.random() < _RESIGNS:
            moves.resign(action, player, Target(number, seat, turn))
            return
        rules, position = log.rules_of(game), log.position_of(game)
        text = rules.format(rules.sample(position, seat, self.random.randrange))
        moves.submit(action, player, Target(number, seat, turn), text)
        action.session.flush()
        if game.turn != turn:
            self._plan_moves(action.session, game)

    def _do_claim(self, action: ActionContext, number: int, seat: int, turn: int) -> None:
        game = action.session.get_one(Game, number)
        player = log.seats(action.session, game)[seat][1]
        moves.claim(action, player, Target(number, seat, turn))

    def _do_vacation(self, action: ActionContext, person: int) -> None:
        preferences.take_vacation(
            action, action.session.get_one(Player, person), f"{self.random.randint(1, 12)}d"
        )

    def _do_mute(self, action: ActionContext, person: int) -> None:
        query = select(Seat, Game).where(Seat.player_id == person, Seat.game_id == Game.id)
        running = list(action.session.exec(query.where(Game.state == "running").order_by(col(Game.id))))
        if not running:
            return
        seat, game = self.random.choice(running)
        text = self.random.choice(("1d", "4d", "12d"))
        preferences.mute(action, game, seat, action.session.get_one(Player, person), text)

    def _do_digest(self, action: ActionContext, person: int) -> None:
        preferences.set_digest(action, action.session.get_one(Player, person), self.random.choice(DIGESTS))
        self.digested.pop(person, None)

    def _plan_moves(self, session: Session, game: Game) -> None:
        """Plan moves and claims of the players who have to move: in time, late, or never."""
        if game.state != "running":
            return
        for seat, _ in log.seats(session, game):
            about = (log.id_of(game), seat.number, game.turn)
            if seat.overdue and self.random.random() < _CLAIMS:
                self._plan(self._from_now(days=2), "claim", about[0], 1 - seat.number, game.turn)
            if not seat.owes or self.random.random() < _SILENT:
                continue
            due = seat.deadline_at or self.clock.time + timedelta(days=3)
            share = self.random.choice((0.02, 0.1, 0.3, 0.6, 0.95, 1.0))
            self._plan(self.clock.time - START + share * (due - self.clock.time), "move", *about)

    def _from_now(self, **most: float) -> timedelta:
        return self.clock.time - START + self.random.random() * timedelta(**most)

    def _plan(self, after: timedelta, what: str, *about: int) -> None:
        self.counts["planned"] += 1
        heapq.heappush(self.events, Event(START + after, self.counts["planned"], what, about))

    def _check_mail(self, session: Session) -> None:
        """Check that reminders are far enough apart, and that digests come only when due, and once."""
        assert session.exec(_late_digests(self.clock.time)).first() is None, "a digest was missed"
        query = select(Outbox).where(col(Outbox.id) > self.seen_mail).order_by(col(Outbox.id))
        for mail in session.exec(query):
            self.seen_mail = mail.id or 0
            if mail.letter == "reminder":
                last = self.reminded.get(mail.recipient)
                assert last is None or mail.created_at - last >= HALF_A_DAY, "two reminders in twelve hours"
                self.reminded[mail.recipient] = mail.created_at
                self.counts["reminders"] += 1
            if mail.letter == "digest":
                self._check_digest(session.get_one(Player, mail.player_id), mail.created_at)

    def _check_digest(self, player: Player, moment: datetime) -> None:
        """Check that a digest was due since the last one, unless the player's setting caused it."""
        number, control = players.identity(player), read_digest(player.digest, players.zone(player))
        last = self.digested.get(number)
        if control is not None and last is not None:
            assert next(control.after(last)) <= moment, "two digests in one period"
        self.digested[number] = moment
        self.counts["digests"] += 1

    def _check_all(self) -> None:
        """Check that banks are within bounds, running games have a next event, and turns are reported."""
        now = self.clock.time
        with reading(self.services.engine) as session:
            query = select(Game, Seat, Player).where(Seat.game_id == Game.id, Seat.player_id == Player.id)
            rows = list(session.exec(query.where(Game.state == "running")))
            seated: dict[int, list[Seat]] = {}
            for game, seat, player in rows:
                seated.setdefault(log.id_of(game), []).append(seat)
                if seat.deferred_since is not None and (seat.muted_until is None or seat.muted_until <= now):
                    assert player.digest_at is not None, "a turn is never reported"
                    assert now - seat.deferred_since <= LONGEST_UNREPORTED, "a turn is reported too late"
            for game in {log.id_of(game): game for game, _, _ in rows}.values():
                self._check_game(game, seated[log.id_of(game)])

    def _check_game(self, game: Game, seats: list[Seat]) -> None:
        now, control = self.clock.time, terms_of(game).control
        assert all(seat.bank >= 0 for seat in seats)
        if isinstance(control, Bank):
            assert all(seat.bank <= control.cap.total_seconds() for seat in seats)
        assert game.stale_at is not None
        live = [seat.grace_until for seat in seats if seat.grace_until is not None]
        assert all(moment > now for moment in [*live, game.stale_at])
        assert live or game.resolve_at or any(seat.overdue or seat.owes for seat in seats)

    def _check_end(self) -> None:
        with reading(self.services.engine) as session:
            assert session.exec(select(Failure.what)).all() == []
            for game in session.exec(select(Game)):
                assert game.state == "over"
                bodies = list(session.exec(select(Entry.body).where(Entry.game_id == game.id)))
                sorts = Counter(body["type"] for body in bodies)
                assert sorts["begin"] == sorts["end"] == 1
                assert sum("leave" in body.get("line", {}) for body in bodies) <= 1
                self.counts["credits"] += sorts["credit"]
                self.counts["turns"] += sorts["turn"]
                self.counts[f"ended: {(game.result or {})['reason']}"] += 1

    def _register(self, number: int) -> int:
        with writing(self.services.engine) as session:
            action = ActionContext(session, self.services.sealer, self.clock.time)
            player = players.register(action, f"p{number}@example.org", f"P{number}")
            player.zone = self.random.choice(ZONES)
            player.auto_vacation = self.random.random() < 0.1
            player.reminders = self.random.choice(("half, day", "half, day, hour", "day", "none"))
            preferences.set_digest(action, player, self.random.choice(DIGESTS))
            return players.identity(player)


_DUE = (
    Game.stale_at,
    Seat.grace_until,
    Seat.remind_at,
    Seat.muted_until,
    Game.resolve_at,
    Player.digest_at,
)
_NEXT = sql.select(*(sql.select(sql.func.min(column)).scalar_subquery() for column in _DUE))


def _late_digests(now: datetime) -> SelectOfScalar[Player]:
    return select(Player).where(col(Player.digest_at) <= now)


def _late(now: datetime) -> SelectOfScalar[Seat]:
    return select(Seat).where(col(Seat.grace_until) <= now)


def _standing(session: Session, number: int) -> tuple[int, datetime | None]:
    game = session.get_one(Game, number)
    return game.turn, game.turn_began_at


def _check_not_early(game: Game, began: datetime | None, now: datetime) -> None:
    """Check that at least the full time for the move and the grace period have passed."""
    terms = terms_of(game)
    if isinstance(terms.control, PerMove):
        assert began is not None
        assert now - began >= terms.control.span + terms.grace, "a deadline was handled early"


def simulate(people: int, games: int, seed: int) -> Counter[str]:
    """Play for a year, and return the number of each event."""
    with tempfile.TemporaryDirectory(dir=memory()) as folder:
        settings = settings_for(sqlite_database(folder))
        clock = Clock()
        services = open_services(settings, clock)
        year = Year(services, clock, people, games, seed)
        year.run()
        services.engine.dispose()
    return year.counts


def main() -> None:
    """Run the full year, and print its events."""
    start = time.perf_counter()
    counts = simulate(200, 2000, seed=2026)
    for what, count in sorted(counts.items()):
        print(f"{what:<28}{count:8}")  # noqa: T201 - what the command is for
    print(f"{time.perf_counter() - start:.0f} seconds")  # noqa: T201


if __name__ == "__main__":
    main()
