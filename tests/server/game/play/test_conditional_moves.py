"""Conditional moves: checked with the rules, played when they apply, dropped and reported when they do not."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import col, select

from rules.errors import WrongMove
from rules.registry import RULES
from server.errors import BadRequest, GameOver, NotYours, StaleReply
from server.game.log import log
from server.game.play import conditional_moves, moves
from server.game.play.target import Target
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Entry, Game, Seat
from server.store.outbox import ActionContext
from tests.support.rules.positions.nibble import NIBBLE, square_9
from tests.support.server.conditional_moves import SEQUENTIAL, kept, lines, play_with, write
from tests.support.server.emails import Written, letters
from tests.support.server.games import TwoPlayerGame, begin
from tests.support.server.players import add_player, mail_every_turn
from tests.support.server.services import Clock


def reports(table: TwoPlayerGame, skip: int) -> dict[int, list[Written]]:
    """Return the reports after the first `skip` letters, by seat."""
    found: dict[int, list[Written]] = {0: [], 1: []}
    for letter in letters(table.services, skip):
        seat = [player.email for player in table.players].index(letter.to)
        if letter.letter == "report":
            found[seat].append(letter)
    return found


# Reading


def test_conditional_moves_are_stored_as_they_were_read(table: TwoPlayerGame) -> None:
    assert write(table, 1, "IF put E5 THEN D4., if c2 then b5\nif a1 then e1") == [
        "if e5 then d4, if c2 then b5",
        "if a1 then e1",
    ]
    assert kept(table, 1) == ["if e5 then d4, if c2 then b5", "if a1 then e1"]


def test_lines_with_the_same_beginning_are_branches(table: TwoPlayerGame) -> None:
    text = "if e5 then d4\nif e5 then d4, if c2 then b5\nif e5 then d4, if c1 then b1\nif e5 then d4"
    assert write(table, 1, text) == ["if e5 then d4, if c2 then b5", "if e5 then d4, if c1 then b1"]


def test_new_conditional_moves_replace_earlier_ones(table: TwoPlayerGame) -> None:
    write(table, 1, "if e5 then d4")
    write(table, 1, "if a1 then e1")
    assert kept(table, 1) == ["if a1 then e1"]
    assert write(table, 1, "if off") == []
    assert kept(table, 1) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("if e5 then e5", "Line 1, “if e5 then e5”: Your answer “e5” cannot be played."),
        ("if e9 then d4", "Your opponent's move “e9” cannot be played."),
        (
            "if a1 then b5\nif e5 then d4, if d4 then b5",
            "Line 2, “if e5 then d4, if d4 then b5”: Your opponent's move “d4” cannot be played after “d4”. d4",
        ),
        (
            "if e5 then d4, if e5 then b5",
            ": place a disc on an empty point. Write another variation on a line of its own.",
        ),
        ("if e5 then d4,\nif a1 then b5", "Line 1, “if e5 then d4,”: It ends with a comma"),
        ("if e5 then d4\nif e5 then d5", "A line above answers “e5” with “d4”, and this one with “d5”."),
        ("if e5 d4", "Write it as “if MOVE then MOVE”"),
        ("if e5 then d4\nif off", "Line 2, “if off”: Write it as"),
        ("if e5 then thanks", "Your answer “thanks” cannot be played."),
        ("if a1 then a1\nif b1 then b1", "“b1”"),
        ("if e5 then d4".ljust(8001), "at most 8000 characters"),
    ],
)
def test_illegal_lines_are_explained_one_by_one(table: TwoPlayerGame, text: str, told: str) -> None:
    write(table, 1, "if a1 then e1")
    before = table.snapshot()
    with pytest.raises(BadRequest) as refused:
        write(table, 1, text)
    assert told in str(refused.value)
    assert table.snapshot() == before
    assert kept(table, 1) == ["if a1 then e1"]


def test_ambiguous_answer_gets_its_choices() -> None:
    position = square_9("BABCDA", "ACA")
    with pytest.raises(BadRequest) as refused:
        conditional_moves.read(NIBBLE, position, 1, "if a9 then take red")
    assert str(refused.value).endswith(" It could be a8 b9 f9 or a8 c8 f9.")


def test_first_five_illegal_lines_are_explained(table: TwoPlayerGame) -> None:
    with pytest.raises(BadRequest) as refused:
        write(table, 1, "\n".join(["if e5 then e5"] * 6))
    assert ("Line 5, " in str(refused.value), "Line 6, " in str(refused.value)) == (True, False)


def test_conditional_moves_may_have_8000_characters(table: TwoPlayerGame) -> None:
    assert write(table, 1, "if e5 then d4".ljust(8000)) == ["if e5 then d4"]


def test_number_of_conditional_moves_is_limited_to_fifty(services: Services) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=8)
    points = [f"{letter}{number}" for letter in "abcdefg" for number in range(1, 9)]
    many = [f"if {point} then h1" for point in points[:50]]
    assert len(write(table, 1, "\n".join(many))) == 50
    with pytest.raises(BadRequest, match="at most 50"):
        write(table, 1, "\n".join([*many, f"if {points[50]} then h1"]))
    with pytest.raises(BadRequest, match="at most 50"):
        write(table, 1, "\n".join([*many[:49], "if g8 then h1, if h8 then h3, if h7 then h2"]))


def test_only_waiting_players_can_give_conditional_moves(table: TwoPlayerGame) -> None:
    with pytest.raises(BadRequest, match="It is your turn"):
        write(table, 0, "if e5 then d4")
    table.submit(0, "c3")
    with pytest.raises(StaleReply):
        write(table, 0, "if e5 then d4", turn=1)
    table.players.reverse()
    with pytest.raises(NotYours):
        write(table, 0, "if e5 then d4")


@pytest.mark.parametrize(
    ("game_type", "options", "told"),
    [
        ("nardshir", {}, "dice are rolled after"),
        ("nelaxtam", {"size": 10, "troops": 1, "sea": 0}, "everyone gives orders at the same time"),
    ],
)
def test_some_games_have_no_conditional_moves(
    services: Services, game_type: str, options: dict[str, object], told: str
) -> None:
    table = TwoPlayerGame(services, game_type, **options)
    with pytest.raises(BadRequest, match=told):
        write(table, 1, "if hand/3 then hand/4")
    before = table.snapshot()
    move = table_move(table, 0)
    with pytest.raises(BadRequest, match=told):
        play_with(table, 0, move, "if hand/3 then hand/4")
    assert table.snapshot() == before


def test_no_conditional_moves_with_three_players_until_two_are_left(services: Services) -> None:
    people = [add_player(services, f"{name}@example.org", name) for name in ("Ann", "Ben", "Cleo")]
    number = begin(services, "nexus", *people, players=3)
    text = "if add j10 j11 j12 then add p10 o11 n12"
    with writing(services.engine) as session:
        seats = [player for _, player in log.seats(session, session.get_one(Game, number))]
        action = ActionContext(session, services.sealer, services.now())
        with pytest.raises(BadRequest, match="with two players"):
            moves.set_conditions(action, seats[1], Target(number, 1, 1), text)
        moves.resign(action, seats[2], Target(number, 2, 1))
        assert len(moves.set_conditions(action, seats[1], Target(number, 1, 2), text)) == 1
        moves.submit(action, seats[0], Target(number, 0, 2), "add j10 j11 j12")
    with reading(services.engine) as session:
        assert session.get_one(Game, number).turn == 4


def table_move(table: TwoPlayerGame, seat: int) -> str:
    """Return a legal move."""
    game = table.game()
    rules = log.rules_of(game)
    return rules.format(rules.sample(log.position_of(game), seat, random.Random(1).randrange))


# Playing


def test_answer_is_played_immediately_and_reported_once(table: TwoPlayerGame) -> None:
    mail_every_turn(table.services)
    write(table, 1, "if e5 then d4, if c2 then b5\nif a1 then e1")
    before = len(letters(table.services))
    table.submit(0, "e5")
    assert lines(table) == ["e5", "d4"]
    assert kept(table, 1) == ["if c2 then b5"]
    told = reports(table, before)
    assert [len(each) for each in told.values()] == [1, 1]
    assert f"Your move. You played e5. {table.players[1].name} played d4. Due" in told[0][0].words
    assert "Played for you from your conditional moves: turn 2." in told[1][0].words
    assert "if c2 then b5" in told[1][0].words
    for word in ("condition", "at once", "if c2", "if a1"):
        assert word not in told[0][0].words + told[0][0].html
    table.submit(0, "c2")
    assert lines(table) == ["e5", "d4", "c2", "b5"]
    assert kept(table, 1) == []


def test_unused_conditional_moves_are_deleted_and_reported_to_their_writer(
    services: Services, table: TwoPlayerGame
) -> None:
    mail_every_turn(services)
    write(table, 1, "if e5 then d4\nif a1 then e1")
    before = len(letters(services))
    table.submit(0, "b4")
    assert lines(table) == ["b4"]
    assert kept(table, 1) == []
    told = reports(table, before)
    assert "no longer fit the game and have been deleted: | if e5 then d4 | if a1 then e1" in told[1][0].words
    assert "condition" not in told[0][0].words


def test_conditional_moves_of_both_answer_one_another(table: TwoPlayerGame) -> None:
    mail_every_turn(table.services)
    write(table, 1, "if e5 then d4, if c2 then b5")
    before = len(letters(table.services))
    play_with(table, 0, "e5", "if d4 then c2, if b5 then a3\nif a1 then e1")
    assert lines(table) == ["e5", "d4", "c2", "b5", "a3"]
    assert kept(table, 0) == kept(table, 1) == []
    told = reports(table, before)
    assert [len(each) for each in told.values()] == [1, 1]
    assert "from your conditional moves: turns 3, 5." in told[0][0].words
    assert "from your conditional moves: turns 2, 4." in told[1][0].words


def test_conditional_moves_below_a_move_continue_it(table: TwoPlayerGame) -> None:
    with pytest.raises(BadRequest, match=r"Your opponent's move “c3”"):
        play_with(table, 0, "c3", "if c3 then a1")
    assert lines(table) == []
    play_with(table, 0, "c3", "if a1 then e1")
    assert lines(table) == ["c3"]
    assert kept(table, 0) == ["if a1 then e1"]


def test_conditional_moves_below_a_move_do_not_reveal_the_opponents(table: TwoPlayerGame) -> None:
    """It is read as if the opponent still had to move, whatever they have prepared."""
    write(table, 1, "if e5 then d4")
    with pytest.raises(BadRequest, match=r"Your opponent's move “e5”"):
        play_with(table, 0, "e5", "if e5 then a1")
    assert lines(table) == []


def test_immediate_answer_does_not_charge_the_bank(services: Services, clock: Clock) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5, time="3d+1d/9d")
    write(table, 1, "if e5 then d4")
    clock.advance(days=2)
    table.submit(0, "e5")
    with reading(services.engine) as session:
        banks = [session.get_one(Seat, (table.number, seat)).bank for seat in (0, 1)]
        due = session.get_one(Seat, (table.number, 0)).deadline_at
    assert banks == [timedelta(days=2).total_seconds(), timedelta(days=4).total_seconds()]
    assert due == clock() + timedelta(days=2)


def test_end_of_the_game_deletes_conditional_moves(table: TwoPlayerGame) -> None:
    write(table, 1, "if e5 then d4")
    target = Target(table.number, 0, 1)
    with writing(table.services.engine) as session:
        moves.resign(
            ActionContext(session, table.services.sealer, table.services.now()), table.players[0], target
        )
    assert kept(table, 1) == []
    with pytest.raises(GameOver):
        write(table, 1, "if e5 then d4")


def test_answer_that_is_no_longer_legal_is_deleted(table: TwoPlayerGame) -> None:
    with writing(table.services.engine) as session:
        target = session.get_one(Seat, (table.number, 1))
        conditional_moves.store_moves(table.services.sealer, target, (("e5", "e5"),))
    table.submit(0, "e5")
    assert lines(table) == ["e5"]
    assert kept(table, 1) == []


def test_refused_move_keeps_conditional_moves(table: TwoPlayerGame) -> None:
    write(table, 1, "if e5 then d4")
    with pytest.raises(WrongMove):
        table.submit(0, "e9")
    assert kept(table, 1) == ["if e5 then d4"]


# Random trees


class Player:
    """A player who chooses among few moves, so that conditional moves often apply."""

    def __init__(self, rules: log.AnyRules, below: Callable[[int], int]) -> None:
        self.rules, self.below = rules, below

    def choose(self, position: Any) -> Any:
        (seat,) = self.rules.to_move(position)
        few = [move for _, move in zip(range(3), self.rules.moves(position, seat), strict=False)]
        return few[self.below(len(few))]

    def grow(self, position: Any, depth: int = 3) -> list[str]:
        """Return the lines of a tree of conditional moves for the waiting player in a position."""
        found: dict[str, list[str]] = {}
        waiting = 1 - self.rules.to_move(position)[0]
        for _ in range(2):
            move = self.choose(position)
            after = self._after(position, move)
            if self.rules.result(after) is not None or self.rules.to_move(after) != (waiting,):
                continue
            answer = self.choose(after)
            end = self._after(after, answer)
            goes_on = self.rules.result(end) is None and self.rules.to_move(end) == (1 - waiting,)
            start = f"if {self.rules.format(move)} then {self.rules.format(answer)}"
            deeper = self.grow(end, depth - 1) if goes_on and depth and self.below(3) else []
            found.setdefault(self.rules.format(move), [start, *(f"{start}, {line}" for line in deeper)])
        return [line for each in found.values() for line in each]

    def _after(self, position: Any, move: Any) -> Any:
        (seat,) = self.rules.to_move(position)
        return after_passes(self.rules, self.rules.play(position, {seat: move}))


def after_passes(rules: log.AnyRules, position: Any) -> Any:
    """Return the position after forced passes, in which a player has a choice or the game is over."""
    while (move := rules.forced(position)) is not None:
        position = rules.play(position, {rules.to_move(position)[0]: move})
    return position


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize(("game_type", "options"), SEQUENTIAL, ids=[game_type for game_type, _ in SEQUENTIAL])
@pytest.mark.parametrize("number", range(3))
def test_random_conditional_moves_give_the_same_game_as_manual_play(
    services: Services, game_type: str, options: dict[str, object], number: int
) -> None:
    table = TwoPlayerGame(services, game_type, **options)
    rules = RULES[game_type]
    chooser = Player(rules, random.Random(f"{game_type} {number}").randrange)
    position = log.position_of(table.game())
    trees: dict[int, list[tuple[str, ...]]] = {0: [], 1: []}
    played: list[str] = []
    answers = 0
    while rules.result(position) is None and len(played) < 40:
        (seat,) = rules.to_move(position)
        if chooser.below(2) and (lines_written := chooser.grow(position)):
            write(table, 1 - seat, "\n".join(lines_written))
            trees[1 - seat] = [moves_of(line) for line in lines_written]
        move = rules.format(chooser.choose(position))
        table.submit(seat, move)
        while move:
            played.append(move)
            position = by_hand(rules, position, seat, move, played)
            fitting = [way for way in trees[1 - seat] if way[0] == move]
            trees[1 - seat] = [way[2:] for way in fitting if len(way) > 2]
            move = fitting[0][1] if fitting and rules.result(position) is None else ""
            seat = 1 - seat
            answers += bool(move)
    assert lines(table) == played
    assert table.game().position == rules.write(position)
    assert answers >= 3


def moves_of(line: str) -> tuple[str, ...]:
    """Return the moves of a line in canonical form."""
    return tuple(line.removeprefix("if ").replace(", if ", " then ").split(" then "))


def by_hand(rules: log.AnyRules, position: Any, seat: int, move: str, played: list[str]) -> Any:
    """Return the position after a move and the forced passes after it, which are added to `played`."""
    position = rules.play(position, {seat: rules.parse(position, seat, move)})
    after = after_passes(rules, position)
    while position != after:
        played.append("pass")
        position = rules.play(position, {rules.to_move(position)[0]: rules.forced(position)})
    return position


def test_automatic_turns_are_ordinary_entries_of_the_log(table: TwoPlayerGame) -> None:
    write(table, 1, "if e5 then d4")
    table.submit(0, "e5")
    with reading(table.services.engine) as session:
        query = select(Entry).where(Entry.game_id == table.number).order_by(col(Entry.number))
        bodies = [entry.body for entry in session.exec(query)]
    assert bodies[1:] == [
        {"type": "turn", "turn": 1, "line": {"seat": 0, "move": "e5"}},
        {"type": "turn", "turn": 2, "line": {"seat": 1, "move": "d4"}},
    ]


def test_conditional_moves_given_during_a_move_are_used_or_stale(services: Services) -> None:
    outcomes = set()
    for number in range(8):
        people = [
            add_player(services, f"{name}{number}@example.org", f"{name}{number}") for name in ("Ann", "Ben")
        ]
        table = TwoPlayerGame.of(services, begin(services, "nebuchadnezzar", *people, size=5))
        with ThreadPoolExecutor(2) as pool:
            written = pool.submit(write, table, 1, "if e5 then d4", turn=1)
            if number % 2:
                written.exception()
            pool.submit(table.submit, 0, "e5", turn=1).result()
        stale = isinstance(written.exception(), StaleReply)
        assert lines(table) == (["e5"] if stale else ["e5", "d4"])
        assert kept(table, 1) == []
        outcomes.add(stale)
    assert False in outcomes


@pytest.mark.parametrize(
    ("kept", "way", "together"),
    [
        ((), ("a", "b"), (("a", "b"),)),
        ((("a", "b"),), ("c", "d"), (("a", "b"), ("c", "d"))),
        ((("a", "b"),), ("a", "c"), (("a", "c"),)),
        ((("a", "b", "c", "d"), ("e", "f")), ("a", "b", "c", "e"), (("e", "f"), ("a", "b", "c", "e"))),
        ((("a", "b", "c", "d"),), ("a", "b", "e", "f"), (("a", "b", "c", "d"), ("a", "b", "e", "f"))),
        ((), ("a", "b", "c"), (("a", "b"),)),
    ],
)
def test_new_line_replaces_those_that_answer_differently(
    kept: conditional_moves.Ways, way: conditional_moves.Way, together: conditional_moves.Ways
) -> None:
    assert conditional_moves.with_way(kept, way) == together
