"""Complete tournaments of each form, with draws, byes, leavers, and games that take too long."""

from __future__ import annotations

import random
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlmodel import select

from rules.records.verification import verify
from server.accounts import relations
from server.admin.audit import AdminAction
from server.admin.bans import suspend
from server.admin.games import decide
from server.game.integrity import log_check
from server.game.log import log
from server.jobs import downtime
from server.jobs.table import IDLE_GAMES
from server.pairing.meeting import times_met
from server.processes.services import Services
from server.store.db import locked, reading, writing
from server.store.models import Game, Heartbeat, Pairing, Player, Tournament
from server.tournaments import progress
from server.tournaments.rows import decided, entrants_of
from tests.support.server.emails import letters
from tests.support.server.services import Clock
from tests.support.server.tournaments import NAMES, Field, first_by_name, view_of


@pytest.mark.both
def test_round_robin_starts_all_games_together(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="round-robin", places="4")
    field.enter("Ann", "Ben", "Cleo", "Dora")
    field.tick()
    assert len(field.going_on()) == 6
    assert sorted(field.letters("round_begins")) == ["Ann", "Ben", "Cleo", "Dora"]
    field.play_round(first_by_name)
    assert field.now.state == "over"
    assert [(each.place, field.name(each.player), each.points) for each in field.standings()] == [
        (1, "Ann", 3.0),
        (2, "Ben", 2.0),
        (3, "Cleo", 1.0),
        (4, "Dora", 0.0),
    ]
    assert sorted(field.letters("tournament_over")) == ["Ann", "Ben", "Cleo", "Dora"]
    assert field.tick() == 0


def test_double_round_robin_can_be_played_round_by_round(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="double", places="3", together="off")
    field.enter("Ann", "Ben", "Cleo")
    field.tick()
    for number in range(1, 7):
        assert field.now.round == number
        assert len(field.going_on()) == 1
        field.play_round(first_by_name)
    assert field.now.state == "over"
    assert Counter(field.names(each) for each in field.pairings()) == Counter(
        [(a, b) for a in NAMES[:3] for b in NAMES[:3] if a != b]
    )


@pytest.mark.both
def test_swiss_with_draws_byes_and_players_who_leave(services: Services, clock: Clock) -> None:
    chance = random.Random(1)
    field = Field(services, clock, form="swiss", places="4-9", rounds=4)
    field.enter(*NAMES[:9])
    field.tick()
    field.enter("Jon")
    field.leave("Cleo")
    field.tick()
    assert field.letters("place_free") == ["Jon"]
    while field.now.state == "running":
        if field.now.round == 3 and "Dora" not in gone(field):
            field.leave("Dora")
        field.play_round(lambda two: chance.choice((*two, "")))
    assert field.now.round == 4
    played = decided(field.pairings())
    assert len(played) == len(field.pairings())
    assert set(times_met(played).values()) == {1}
    rests = Counter(each.first for each in played if each.second is None)
    assert set(rests.values()) <= {1}
    people = {number: [each for each in played if number in each[:2]] for number in field.ids.values()}
    assert len(people[field.ids["Jon"]]) == 3
    assert len(people[field.ids["Cleo"]]) == 1
    assert len(people[field.ids["Dora"]]) in (2, 3)
    assert all(
        len(own) == 4 for number, own in people.items() if field.name(number) not in ("Jon", "Cleo", "Dora")
    )


def gone(field: Field) -> list[str]:
    """Return the players who have left."""
    with reading(field.services.engine) as session:
        return [field.name(each.player_id) for each in session.exec(entrants_of(field.number)) if each.left]


@pytest.mark.both
def test_knock_out_has_byes_for_the_best_and_replays_draws(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="knock-out", places="2-8")
    field.enter(*NAMES[:6])
    field.live(days=14)
    assert [field.names(each) for each in field.pairings(1)] == [
        ("Ann", ""),
        ("Dora", "Emil"),
        ("Ben", ""),
        ("Cleo", "Fay"),
    ]
    field.play_round(lambda two: "" if "Cleo" in two else min(two))
    assert [field.names(each) for each in field.going_on()] == [("Fay", "Cleo")]
    field.play_round(lambda two: "")
    assert [set(field.names(each)) for each in field.pairings(2)] == [{"Ann", "Dora"}, {"Ben", "Cleo"}]
    field.leave("Ann")
    field.play_round(first_by_name)
    (final,) = field.going_on()
    assert set(field.names(final)) == {"Dora", "Ben"}
    field.win(final, "Dora")
    field.tick()
    assert field.now.state == "over"
    assert field.now.round == 3


def test_opponent_of_a_player_who_left_advances(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="knock-out", places="4")
    field.enter(*NAMES[:4])
    field.tick()
    field.win(field.going_on()[0], "Ann")
    field.leave("Ben")
    field.leave("Cleo")
    field.tick()
    assert field.now.state == "over"
    (final,) = field.pairings(2)
    assert (field.names(final), final.game_id) == (("Cleo", "Ann"), None)
    assert (final.first_points, final.second_points) == (0.0, 1.0)


def test_last_player_of_a_knock_out_wins(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="knock-out", places="4")
    field.enter(*NAMES[:4])
    field.tick()
    field.win(field.going_on()[0], "Ann")
    field.tick()
    for name in ("Dora", "Ann", "Cleo"):
        field.leave(name)
        field.tick()
    assert field.now.state == "over"
    (final,) = field.pairings(2)
    points = (final.first_points, final.second_points)
    assert dict(zip(field.names(final), points, strict=True)) == {"Ann": 0.0, "Ben": 1.0}
    assert winners(field) == ["Ben"]


def test_player_who_leaves_a_round_robin_loses_later_rounds_too(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="round-robin", places="4", together="off")
    field.enter(*NAMES[:4])
    field.play_round(first_by_name)
    told = len(field.letters("round_begins"))
    for name in ("Ann", "Cleo", "Dora"):
        field.leave(name)
    field.tick()
    assert field.now.state == "over"
    assert len(decided(field.pairings())) == 6
    best = field.standings()[0]
    assert (field.name(best.player), best.points) == ("Ben", 3.0)
    assert len(field.letters("round_begins")) == told, "nobody is told of rounds in which nothing is played"
    assert field.letters("tournament_over") == ["Ben"]


def test_no_player_advances_after_an_aborted_game(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="knock-out", places="4", time="none", after="90d")
    field.enter(*NAMES[:4])
    field.tick()
    field.win(field.going_on()[0], "Ann")
    clock.advance(days=31)
    assert IDLE_GAMES.run_next(services.engine, services.sealer, clock())
    field.tick()
    assert field.now.state == "over"
    (final,) = field.pairings(2)
    assert (field.names(final), final.first_points) == (("Ann", ""), 1.0)


@pytest.mark.both
def test_free_players_on_a_ladder_are_paired_immediately(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="ladder", places="2-8", lasts="10d")
    field.enter("Ann", "Ben", "Cleo", "Dora")
    field.live(days=14)
    assert len(field.going_on()) == 2
    one, other = field.going_on()
    field.win(one, min(field.names(one)))
    field.tick()
    assert len(field.going_on()) == 1  # the two wait for a new player
    field.win(other, min(field.names(other)))
    field.tick()
    assert len(field.going_on()) == 2
    field.enter("Emil")
    field.leave("Dora")
    field.tick()
    assert "Emil" in {name for each in field.going_on() for name in field.names(each)}
    for _ in range(4):
        field.play_round(first_by_name)
    assert len(field.going_on()) == 2
    field.live(days=11)
    assert field.now.state == "over"
    late = field.going_on()
    field.win(late[0], min(field.names(late[0])))
    field.tick()
    assert len(field.going_on()) == 2  # running games no longer count


@pytest.mark.both
def test_corrected_result_changes_the_standings(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="round-robin", places="3")
    field.enter("Ann", "Ben", "Cleo")
    field.tick()
    games = {frozenset(field.names(each)): each for each in field.going_on()}
    field.win(games[frozenset(("Ann", "Ben"))], "Ann")
    field.tick()
    correct(field, games[frozenset(("Ann", "Ben"))], "Ben")
    field.win(games[frozenset(("Ben", "Cleo"))], "Ben")
    field.win(games[frozenset(("Ann", "Cleo"))], "Ann")
    field.tick()
    assert winners(field) == ["Ben"]
    correct(field, games[frozenset(("Ben", "Cleo"))], "Cleo")
    correct(field, games[frozenset(("Ann", "Cleo"))], "Cleo")
    assert winners(field) == ["Cleo"]
    last = [each for each in letters(services) if each.letter == "tournament_over"][-1]
    assert last.mail["Subject"] == "Ann’s tournament “Spring Cup”: a result was corrected"
    assert "First place: Cleo." in last.words
    assert Counter(field.letters("tournament_over")) == {"Ann": 3, "Ben": 3, "Cleo": 3}


@pytest.mark.both
def test_corrected_first_game_decides_despite_the_second(services: Services, clock: Clock) -> None:
    """A correct result needs no second game; it goes on without effect, and no round waits for it."""
    field = Field(services, clock, form="knock-out", places="4", after="10d", time="none")
    field.enter(*NAMES[:4])
    field.play_round(lambda two: "" if "Ann" in two else "Ben")
    first, second = (each for each in field.pairings(1) if "Ann" in field.names(each))
    assert second.leg == 2
    correct(field, first, "Dora")
    assert [set(field.names(each)) for each in field.pairings(2)] == [{"Dora", "Ben"}]
    field.live(days=8)
    assert "Ann" not in field.letters("adjudicated_soon")
    field.win(second, "Ann")
    field.tick()
    field.play_round(lambda two: "Dora")
    assert [(each.place, field.name(each.player)) for each in view_of(field).standings][:2] == [
        (1, "Dora"),
        (2, "Ben"),
    ]
    notes = {each.game: each.note for each in view_of(field).rounds[1]}
    assert notes[second.game_id] == "second game, does not count"


def test_second_game_decides_again_if_the_first_becomes_a_draw(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="knock-out", places="4")
    field.enter(*NAMES[:4])
    field.play_round(lambda two: "")
    first, second = (each for each in field.pairings(1) if "Ann" in field.names(each))
    correct(field, first, "Dora")
    correct(field, first, "Dora", "Ann")
    field.win(second, "Ann")
    field.win(next(each for each in field.going_on() if "Ben" in field.names(each)), "Ben")
    field.tick()
    assert [set(field.names(each)) for each in field.pairings(2)] == [{"Ann", "Ben"}]


def correct(field: Field, pairing: Pairing, *winners: str) -> None:
    """Let an administrator decide that a player won, or that several share a draw."""
    with writing(field.services.engine) as session:
        seats = [
            seat.number
            for seat, player in log.seats(session, session.get_one(Game, pairing.game_id))
            if player.name in winners
        ]
        decide(AdminAction(field.action(session)), pairing.game_id or 0, seats, "Their emails were lost.")
    field.tick()


def winners(field: Field) -> list[str]:
    return view_of(field).winners


@pytest.mark.parametrize("form", ["swiss", "ladder"])
def test_blocked_players_are_kept_apart(services: Services, clock: Clock, form: str) -> None:
    field = Field(services, clock, form=form, places="4")
    with writing(services.engine) as session:
        for one, other in (("Ann", "Cleo"), ("Dora", "Cleo")):
            relations.block(field.action(session), session.get_one(Player, field.ids[one]), other)
    field.enter(*NAMES[:4])
    for _ in range(2 if form == "swiss" else 4):
        field.play_round(first_by_name)
    met = {frozenset(field.names(each)) for each in field.pairings()}
    assert frozenset(("Ben", "Cleo")) in met
    assert not met & {frozenset(("Ann", "Cleo")), frozenset(("Dora", "Cleo"))}


@pytest.mark.sample(2)
@pytest.mark.parametrize("form", ["swiss", "ladder"])
@pytest.mark.parametrize("why", ["wants no mail", "gets no mail", "is suspended"])
def test_players_who_cannot_play_are_not_paired_until_they_can(
    services: Services, clock: Clock, form: str, why: str
) -> None:
    field = Field(services, clock, form=form, places="5")
    field.enter(*NAMES[:5])
    field.tick()
    with writing(services.engine) as session:
        ann, action = session.get_one(Player, field.ids["Ann"]), field.action(session)
        ann.mail_stopped = why == "wants no mail"
        ann.suspended_at = clock() if why == "gets no mail" else None
        if why == "is suspended":
            suspend(AdminAction(action), ann, clock() + timedelta(days=2), "They were rude.")
    field.play_round(first_by_name)
    assert len(field.going_on()) == 2
    assert "Ann" not in {name for each in field.going_on() for name in field.names(each)}
    with writing(services.engine) as session:
        ann = session.get_one(Player, field.ids["Ann"])
        ann.mail_stopped, ann.suspended_at = False, None
    clock.advance(days=2)
    field.play_round(first_by_name)
    assert "Ann" in {name for each in field.going_on() for name in field.names(each)}


@pytest.mark.both
def test_tournament_with_too_few_players_is_cancelled_with_notification(
    services: Services, clock: Clock
) -> None:
    field = Field(services, clock, places="4-8", signup="2d")
    field.enter("Ann", "Ben")
    field.live(days=1)
    assert field.now.state == "open"
    field.live(days=1)
    assert field.now.state == "cancelled"
    assert field.letters("tournament_cancelled") == ["Ann", "Ben"]
    assert field.tick() == 0


def test_tournament_without_early_start_waits_for_the_end_of_sign_up(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="round-robin", places="3", early="off", signup="2d")
    field.enter("Ann", "Ben", "Cleo", "Dora", "Emil")
    field.tick()
    assert field.now.state == "open"
    field.leave("Emil")
    assert field.letters("place_free") == []
    field.leave("Ben")
    assert field.letters("place_free") == ["Dora"]
    field.enter("Fay")
    field.live(days=2)
    assert {name for each in field.going_on() for name in field.names(each)} == {"Ann", "Cleo", "Dora"}
    assert field.letters("no_place") == ["Fay"]


@pytest.mark.both
def test_long_game_is_adjudicated_after_a_warning(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="swiss", places="4", rounds=2, after="10d", time="none")
    field.enter(*NAMES[:4])
    field.tick()
    field.play_round(lambda two: "Ann" if "Ann" in two else "?")
    (slow,) = field.going_on()
    field.live(days=6)
    assert field.letters("adjudicated_soon") == []
    field.live(days=1)
    assert sorted(field.letters("adjudicated_soon")) == sorted(field.names(slow))
    field.live(days=2, hours=23)
    assert field.now.round == 1
    field.live(hours=1)
    assert field.now.round == 2
    settled = next(each for each in field.pairings(1) if each.id == slow.id)
    assert (settled.first_points, settled.second_points, settled.adjudicated) == (0.0, 1.0, True)
    with reading(services.engine) as session:
        game = session.get_one(Game, slow.game_id)
        assert log.entries(session, game)[-1].body["result"] == {"winners": [1], "reason": "adjudicated"}


def test_no_game_is_adjudicated_without_a_timely_warning(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="swiss", places="2", after="10d", time="none")
    field.enter("Ann", "Ben")
    field.tick()
    field.live(days=40)  # nothing ran for a long time
    assert len(field.letters("adjudicated_soon")) == 2
    field.live(days=2)
    assert field.going_on()
    field.live(days=1)
    assert field.now.state == "over"


def test_player_who_used_more_thinking_time_loses_an_adjudicated_game(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="swiss", places="2", after="10d", time="none")
    field.enter("Ann", "Ben")
    field.tick()
    (slow,) = field.going_on()
    field.clock.advance(days=1)
    field.move(slow)
    field.live(days=6)
    field.live(days=3)
    (settled,) = field.pairings()
    assert (settled.first_points, settled.second_points) == (1.0, 0.0)


def test_time_of_players_does_not_run_while_the_server_is_down(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="swiss", places="3-4", signup="2d", after="10d", time="none")
    field.enter("Ann", "Ben")
    fail_for(field, days=3)
    assert field.now.state == "open"
    assert field.now.closes_at == clock() + timedelta(days=2)
    field.enter("Cleo")
    field.live(days=2)
    assert field.now.state == "running"
    fail_for(field, days=1)
    field.live(days=6, hours=23)
    assert field.letters("adjudicated_soon") == [], "they have as long as they were told"
    assert len(field.going_on()) == 1
    field.live(hours=1)
    assert len(field.letters("adjudicated_soon")) == 2
    fail_for(field, days=9)
    field.live(days=2, hours=23)
    assert field.now.round == 1
    field.live(hours=1)
    assert field.now.round == 2


@pytest.mark.parametrize("early", ["on", "off"])
def test_ladder_is_prolonged_by_downtime(services: Services, clock: Clock, early: str) -> None:
    field = Field(services, clock, form="ladder", places="2", lasts="10d", signup="2d", early=early)
    field.enter("Ann", "Ben")
    fail_for(field, days=3)
    field.live(days=0 if early == "on" else 2)
    assert field.now.ends_at == clock() + timedelta(days=10)
    field.live(days=8)
    fail_for(field, days=4)
    assert field.now.state == "running"
    assert field.now.ends_at == clock() + timedelta(days=2)
    fail_for(field, days=1)
    field.live(days=1, hours=23)
    assert field.now.state == "running"
    field.live(hours=1)
    assert field.now.state == "over"


def fail_for(field: Field, days: int) -> None:
    """Simulate a server that is down for this many days, and notices it afterwards."""
    with writing(field.services.engine) as session:
        session.merge(Heartbeat(id=1, at=field.clock()))
    field.clock.advance(days=days)
    downtime.beat(field.services.engine, field.clock())
    field.tick()


def test_downtime_does_not_count_as_thinking_time(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="swiss", places="2", after="10d", time="none")
    field.enter("Ann", "Ben")
    field.tick()
    (slow,) = field.going_on()
    field.clock.advance(days=1)
    fail_for(field, days=6)  # while the first seat is to move
    field.move(slow)
    field.live(days=6)
    field.live(days=3)
    (settled,) = field.pairings()
    assert (settled.first_points, settled.second_points) == (1.0, 0.0)


@pytest.mark.both
def test_tournament_games_can_be_verified(services: Services, clock: Clock) -> None:
    field = Field(services, clock, "nardshir", form="swiss", places="2")
    field.enter("Ann", "Ben")
    field.tick()
    (only,) = field.going_on()
    assert not log_check.check(services.engine, services.sealer, only.game_id or 0)
    field.win(only, "Ann")
    with reading(services.engine) as session:
        game = session.get_one(Game, only.game_id)
        assert log.entries(session, game)[0].body["paired"] == field.number
        verified = verify(log.record(session, game).to_json())
    assert verified.wrong is None
    assert any(f"that tournament {field.number} gave them" in line for line in verified.checked)


@pytest.mark.both
def test_two_workers_start_each_game_once(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="round-robin", places="7")
    field.enter(*NAMES[:7])
    with ThreadPoolExecutor(2) as workers:
        for done in [workers.submit(field.tick) for _ in range(2)]:
            done.result()
    field.tick()
    assert len(field.going_on()) == 21
    with reading(services.engine) as session:
        assert len(session.exec(select(Game.id)).all()) == 21
    assert len(field.letters("round_begins")) == 7


def go_on_and_die(field: Field) -> None:
    """Take the due steps, and crash before they are stored."""
    with writing(field.services.engine) as session:
        tournament = locked(session, Tournament, field.number)
        assert tournament is not None
        progress.go_on(field.action(session), tournament)
        sys.exit("killed")


@pytest.mark.both
def test_killed_worker_leaves_nothing_incomplete(services: Services, clock: Clock) -> None:
    field = Field(services, clock, form="swiss", places="4")
    field.enter(*NAMES[:4])
    for _ in range(2):
        with pytest.raises(SystemExit):
            go_on_and_die(field)
    assert field.now.state == "open"
    assert field.tick() > 0
    assert len(field.going_on()) == 2
    assert len(field.letters("report")) == 4
