"""What was read before a game was locked is not believed afterwards: another may have written in between."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import pytest
from flask import Flask
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlmodel import col, select

from rules.records.proof import Seed
from server.clock.pauses import Pause, Why
from server.errors import BadRequest
from server.game import lobby, log, pausing, play, preferences, timing
from server.game.play import Place
from server.processes.services import Office
from server.store import failures, models
from server.store.db import locked, reading, writing
from server.store.models import Entry, Game, Inbox, Outbox, Player, Seat
from server.store.outbox import Post
from server.store.tokens import ReplyToken
from tests.mail.mailservers import await_that
from tests.offices import Clock
from tests.server.browsers import add_player, begin, logged_in, submit
from tests.server.written import receive

Result = TypeVar("Result")

KIND = "nebuchadnezzar"


# SQLite locks no rows: there writers take turns.
pytestmark = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)


def while_it_waits(office: Office, act: Callable[[], Result], meanwhile: Callable[[Post], object]) -> Result:
    """What `act` gives, which begins while a transaction in which `meanwhile` was done is not over yet."""
    with ThreadPoolExecutor(1) as others:
        with writing(office.engine) as session:
            meanwhile(Post(session, office.vault, office.now()))
            session.flush()
            acting = others.submit(act)
            await_that(lambda: acting.done() or somebody_waits(office))
            assert not acting.done()
        return acting.result()


def somebody_waits(office: Office) -> bool:
    query = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with reading(office.engine) as session:
        return session.execute(text(query)).first() is not None


def credit(number: int) -> Callable[[Post], None]:
    """Give time back in a game, as after an outage."""

    def note(post: Post) -> None:
        game = locked(post.session, Game, number)
        assert game is not None
        lost = Pause(post.now, post.now, post.now, Why.OUTAGE)
        log.note(post.session, game, pausing.credit_entry(lost), post.now)

    return note


def by_mail(office: Office, player: Player, token: ReplyToken, line: str) -> Callable[[], object]:
    address = f"play+{office.tokens.write(token)}@games.example.org"
    return lambda: receive(office, player.email, address, line)


def player_of(office: Office, number: int, seat: int) -> Player:
    with reading(office.engine) as session:
        _, player = log.seats(session, session.get_one(Game, number))[seat]
        session.expunge(player)
        return player


def seat_of(office: Office, number: int, player: Player) -> Seat:
    with reading(office.engine) as session:
        return session.exec(select(Seat).where(Seat.game_id == number, Seat.player_id == player.id)).one()


def game_of(office: Office, number: int) -> Game:
    with reading(office.engine) as session:
        return session.get_one(Game, number)


def entries(office: Office, number: int) -> list[str]:
    with reading(office.engine) as session:
        query = select(Entry).where(Entry.game_id == number).order_by(col(Entry.number))
        return [entry.body["type"] for entry in session.exec(query)]


def mails(office: Office, letter: str) -> list[str]:
    """To whom a letter was mailed."""
    with reading(office.engine) as session:
        return sorted(session.exec(select(Outbox.recipient).where(Outbox.letter == letter)))


def endings(office: Office) -> list[str]:
    with reading(office.engine) as session:
        return list(session.exec(select(Inbox.state).order_by(col(Inbox.id))))


# Games that run


def test_a_move_by_mail_counts_though_time_was_given_back_meanwhile(
    office: Office, ann: Player, ben: Player
) -> None:
    number = begin(office, KIND, ann, ben, size=5)
    mover = player_of(office, number, 0)
    while_it_waits(office, by_mail(office, mover, ReplyToken(number, 0, 1), "c3"), credit(number))
    assert (endings(office), entries(office, number)) == (["done"], ["begin", "credit", "turn"])


@pytest.mark.parametrize(
    ("page", "fields"), [("move", {"text": "c3"}), ("draw", {}), ("resign", {}), ("say", {"say": "Hello."})]
)
def test_so_does_all_that_is_done_on_the_web(
    office: Office, app: Flask, ann: Player, ben: Player, page: str, fields: dict[str, str]
) -> None:
    number = begin(office, KIND, ann, ben, size=5)
    browser = logged_in(app, office, player_of(office, number, 0))
    answer = while_it_waits(
        office, lambda: browser.send(f"/games/{number}/{page}", turn=1, **fields), credit(number)
    )
    assert answer.status_code == 303
    assert entries(office, number)[:2] == ["begin", "credit"]


def test_a_mail_to_which_somebody_says_yes_counts_as_well(
    office: Office, app: Flask, ann: Player, ben: Player
) -> None:
    number = begin(office, KIND, ann, ben, size=5)
    mover = player_of(office, number, 0)
    address = f"play+{office.tokens.write(ReplyToken(number, 0, 1))}@games.example.org"
    (asked,) = receive(office, "elsewhere@example.net", address, "c3")
    assert asked.letter == "asked"
    answer = asked.mail["Reply-To"]
    while_it_waits(office, lambda: receive(office, mover.email, answer, "yes"), credit(number))
    assert (endings(office), entries(office, number)) == (["done", "done"], ["begin", "credit", "turn"])


def test_what_is_said_while_a_move_is_played_is_said_in_the_turn_after_it(
    office: Office, ann: Player, ben: Player
) -> None:
    number = begin(office, KIND, ann, ben, size=5)
    speaker = player_of(office, number, 1)

    def move(post: Post) -> None:
        _, player = log.seats(post.session, post.session.get_one(Game, number))[0]
        play.submit(post, player, Place(number, 0, 1), "c3")

    while_it_waits(office, by_mail(office, speaker, ReplyToken(number, 1, 1), "say Hello."), move)
    assert seat_of(office, number, speaker).heard_turn == 2


# Games that begin


def invite(office: Office, kind: str, *people: Player, seed: Seed | None = None, **options: object) -> int:
    with writing(office.engine) as session:
        post = Post(session, office.vault, office.now())
        first, *others = (session.get_one(Player, each.id) for each in people)
        return log.identity(lobby.challenge(post, first, others, kind, options, seed=seed))


def accept(number: int, player: Player) -> Callable[[Post], Game]:
    return lambda post: lobby.accept(post, post.session.get_one(Player, player.id), number)


def test_two_who_accept_at_once_begin_the_game(office: Office, ann: Player, ben: Player) -> None:
    cleo = add_player(office, "cleo@example.org", "Cleo")
    number = invite(office, "nexus", ann, ben, cleo, players=3)
    while_it_waits(office, by_mail(office, cleo, ReplyToken(number, 2, 0), "accept"), accept(number, ben))
    assert (game_of(office, number).state, endings(office)) == ("running", ["done"])


def test_who_declines_while_the_game_begins_is_told_that_it_runs(
    office: Office, ann: Player, ben: Player
) -> None:
    number = invite(office, KIND, ann, ben, size=5)
    while_it_waits(office, by_mail(office, ann, ReplyToken(number, 0, 0), "decline"), accept(number, ben))
    assert (game_of(office, number).state, entries(office, number)) == ("running", ["begin"])
    assert (mails(office, "declined"), endings(office)) == ([], ["refused"])


def lot_that_swaps(number: int) -> Seed:
    """A seed that gives two players each the other's seat, in the game of this number."""
    seeds = (Seed(bytes([each]) * 32) for each in range(256))
    return next(seed for seed in seeds if seed.seats(number, ["", ""]).shuffle([0, 1]) == [1, 0])


@pytest.mark.parametrize("way", ["mail", "web"])
def test_who_mutes_while_the_lot_is_drawn_mutes_his_own_seat(
    office: Office, app: Flask, ann: Player, ben: Player, way: str
) -> None:
    number = invite(office, KIND, ann, ben, seed=lot_that_swaps(1), size=5)
    browser = logged_in(app, office, ann)
    mute: dict[str, Callable[[], object]] = {
        "mail": by_mail(office, ann, ReplyToken(number, 0, 0), "mute 2d"),
        "web": lambda: browser.send(f"/games/{number}/mute", days="2"),
    }
    while_it_waits(office, mute[way], accept(number, ben))
    assert seat_of(office, number, ann).number == 1
    assert seat_of(office, number, ann).muted_until is not None
    assert seat_of(office, number, ben).muted_until is None


# Whose time stands


def test_others_are_told_that_a_clock_stands_only_where_that_is_why_it_changed(
    office: Office, ann: Player, ben: Player, clock: Clock
) -> None:
    """Whoever announces a vacation long after his move is due changes nothing about it, but a gift does."""
    number = begin(office, KIND, ann, ben, size=5, time="2d")
    submit(office, number, 0, "c3")
    owing, other = player_of(office, number, 1), player_of(office, number, 0)

    def give(post: Post) -> None:
        play.give(post, post.session.get_one(Player, other.id), Place(number, 0, 2), "1d")

    def go_away() -> None:
        with writing(office.engine) as session:
            post = Post(session, office.vault, office.now())
            preferences.take_vacation(post, session.get_one(Player, owing.id), "2026-04-01 to 2026-04-03")

    while_it_waits(office, go_away, give)
    assert mails(office, "clock_stands") == []


def announce(person: Player, when: str) -> Callable[[Post], str]:
    return lambda post: preferences.take_vacation(post, post.session.get_one(Player, person.id), when)


def test_nobody_spends_his_vacation_twice(office: Office, ann: Player) -> None:
    def go_away() -> None:
        with writing(office.engine) as session:
            announce(ann, "2026-05-01 to 2026-05-21")(Post(session, office.vault, office.now()))

    with pytest.raises(BadRequest, match="vacation"):
        while_it_waits(office, go_away, announce(ann, "20d"))
    with reading(office.engine) as session:
        assert len(session.exec(select(models.Pause)).all()) == 1


# Two that lock the same in another order


@pytest.mark.parametrize(("victim", "patience"), [("the reminder", "1ms"), ("the mail", "1min")])
def test_where_a_reminder_and_a_mail_wait_for_one_another_both_are_done_in_the_end(
    office: Office, ann: Player, ben: Player, victim: str, patience: str
) -> None:
    """The database breaks one of them off: no failure of the mail, and no trouble with its writer."""
    number = begin(office, KIND, ann, ben, size=5, time="2d")
    owing = player_of(office, number, 0)
    with writing(office.engine) as session:  # else a mail about a game changes nothing for its writer
        session.get_one(Player, owing.id).bounced_at = office.now()
    writes = by_mail(office, owing, ReplyToken(number, 0, 1), "c3")
    chosen = select(Player).where(Player.id == owing.id)

    remind = partial(failures.act_on_first, office.engine, office.vault, office.now(), "reminding", chosen)
    mailing: list[Future[object]] = []

    def settle(post: Post, player: Player) -> None:
        timing.settle_all(post.session, player, post.now)

    def settle_while_the_mail_is_handled(post: Post, player: Player) -> None:
        post.session.execute(text(f"SET LOCAL deadlock_timeout = '{patience}'"))
        mailing.append(others.submit(writes))
        await_that(lambda: mailing[0].done() or somebody_waits(office))
        settle(post, player)

    with ThreadPoolExecutor(1) as others:
        if victim == "the reminder":
            with pytest.raises(OperationalError):
                remind(settle_while_the_mail_is_handled)
            mailing[0].result()
        else:
            assert remind(settle_while_the_mail_is_handled)
            with pytest.raises(OperationalError):
                mailing[0].result()
            assert endings(office) == ["new"]
            office.pipeline().handle_next(office.now())
    with reading(office.engine) as session:
        assert [(row.state, row.attempts) for row in session.exec(select(Inbox))] == [("done", 0)]
        assert session.get_one(Game, number).turn == 2
        assert session.get_one(Player, owing.id).bounced_at is None
        assert session.exec(select(models.Trouble)).all() == []
    assert remind(settle)
