"""Takebacks: asked for, agreed to, kept in the log, and safe from old emails."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlmodel import col, select

from rules.records import verification
from rules.records.record import Record, replay
from rules.registry import RULES
from server.accounts import computer_players
from server.errors import BadRequest, GameOver, NotYours, NotYourTurn, StaleReply
from server.game.lobby import challenges
from server.game.log import log
from server.game.play import moves
from server.game.play.target import Target
from server.game.views import game_view, history
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Entry, Game, Outbox, Player, Seat
from server.store.outbox import ActionContext
from server.store.tokens import ReplyToken
from tests.support.records import independent_verifier
from tests.support.server.conditional_moves import SEQUENTIAL, kept, lines, play_with, write
from tests.support.server.emails import Written, letters, receive
from tests.support.server.games import TwoPlayerGame, begin, take_back
from tests.support.server.players import add_player, mail_every_turn
from tests.support.server.services import Clock


def undo(table: TwoPlayerGame, seat: int, *, turn: int | None = None) -> int:
    """Reply `undo` as a seat; return the current turn afterwards."""
    target = Target(table.number, seat, table.game().turn if turn is None else turn)
    with writing(table.services.engine) as session:
        action = ActionContext(session, table.services.sealer, table.services.now())
        return take_back(action, table.players[seat], target).turn


def bodies(table: TwoPlayerGame) -> list[dict[str, object]]:
    """Return the log without its first entry."""
    with reading(table.services.engine) as session:
        query = select(Entry).where(Entry.game_id == table.number).order_by(col(Entry.number))
        return [entry.body for entry in session.exec(query)][1:]


def record(table: TwoPlayerGame) -> Record:
    """Return the game as a record, verified by both verifiers."""
    with reading(table.services.engine) as session:
        found = log.record(session, table.game())
    assert verification.verify(found.to_json()).wrong is None
    independent_verifier.check(found.to_json())
    return found


def told(table: TwoPlayerGame, skip: int) -> dict[int, list[Written]]:
    """Return the letters after the first `skip`, by seat."""
    emails = [player.email for player in table.players]
    found: dict[int, list[Written]] = {0: [], 1: []}
    for letter in letters(table.services, skip):
        found[emails.index(letter.to)].append(letter)
    return found


def test_move_is_taken_back_when_the_opponent_agrees(table: TwoPlayerGame) -> None:
    table.submit(0, "c3")
    table.submit(1, "a1")
    table.submit(0, "e5")
    before = len(letters(table.services))
    assert undo(table, 0) == 4
    (asked,) = told(table, before)[1]
    assert "asks for a takeback of turn 3" in asked.words
    assert undo(table, 1) == 5
    assert lines(table) == ["c3", "a1"]
    assert bodies(table)[-1] == {"type": "undo", "turn": 4, "of": 3, "seat": 0}
    for letter in (told(table, before)[seat][-1] for seat in (0, 1)):
        assert letter.letter == "report"
        assert "taken back turn 3; all players agreed" in letter.words
        assert "Turn 5" in letter.words
    table.submit(0, "d5")
    assert lines(table) == ["c3", "a1", "d5"]
    assert replay(record(table)).error is None


def test_takeback_restores_the_position_and_its_memory(table: TwoPlayerGame) -> None:
    table.submit(0, "c3")
    before = table.game()
    table.submit(1, "a1")
    table.submit(0, "e5")
    undo(table, 1)
    undo(table, 0)
    after = table.game()
    assert (after.position, after.memory, after.turn) == (before.position, before.memory, 5)
    assert bodies(table)[-1] == {"type": "undo", "turn": 4, "of": 2, "seat": 1}, "and the answer to it with it"
    with reading(table.services.engine) as session:
        assert [seat.owes for seat, _ in log.seats(session, after)] == [False, True]


def test_first_move_can_be_taken_back(table: TwoPlayerGame) -> None:
    table.submit(0, "c3")
    undo(table, 0)
    before = len(letters(table.services))
    undo(table, 1)
    assert lines(table) == []
    assert {letter.letter for letter in letters(table.services, before)} == {"report"}
    table.submit(0, "a1")
    assert "a1" in letters(table.services)[-1].words
    assert len(record(table).turns) == 1


def test_next_move_refuses_the_takeback(table: TwoPlayerGame) -> None:
    table.submit(0, "c3")
    undo(table, 0)
    table.submit(1, "a1")
    assert undo(table, 1) == 3, "now this is a request, not an agreement"
    assert lines(table) == ["c3", "a1"]


def test_player_cannot_accept_their_own_request(table: TwoPlayerGame) -> None:
    table.submit(0, "c3")
    undo(table, 0)
    with pytest.raises(BadRequest, match="already asked"):
        undo(table, 0)
    assert lines(table) == ["c3"]


def test_player_without_a_move_has_nothing_to_take_back(table: TwoPlayerGame) -> None:
    for seat in (0, 1):
        with pytest.raises(BadRequest, match="not moved yet"):
            undo(table, seat)
    table.submit(0, "c3")
    with pytest.raises(BadRequest, match="not moved yet"):
        undo(table, 1)


def test_only_players_of_a_running_game_can_take_back(table: TwoPlayerGame) -> None:
    table.submit(0, "c3")
    with pytest.raises(StaleReply):
        undo(table, 0, turn=1)
    table.players.reverse()
    with pytest.raises(NotYours):
        undo(table, 0)
    table.players.reverse()
    with writing(table.services.engine) as session:
        moves.resign(
            ActionContext(session, table.services.sealer, table.services.now()),
            table.players[0],
            Target(table.number, 0, 2),
        )
    with pytest.raises(GameOver):
        undo(table, 1)


@pytest.mark.parametrize(
    ("game_type", "options", "why"),
    [
        ("nardshir", {}, "the dice for the next turn have been shown"),
        ("nelaxtam", {"size": 10, "troops": 1, "sea": 0}, "the secret orders have been revealed"),
    ],
)
def test_dice_and_secret_orders_are_never_taken_back(
    services: Services, game_type: str, options: dict[str, object], why: str
) -> None:
    table = TwoPlayerGame(services, game_type, **options)
    moves = ["1 d4", "A c4"] if game_type == "nelaxtam" else [some_move(table)]
    for seat, move in enumerate(moves):
        table.submit(seat, move)
    for seat in (0, 1):
        with pytest.raises(BadRequest, match=why):
            undo(table, seat)


def some_move(table: TwoPlayerGame) -> str:
    game = table.game()
    rules = log.rules_of(game)
    return rules.format(rules.sample(log.position_of(game), 0, random.Random(1).randrange))


def test_old_emails_are_not_played_in_the_new_position(table: TwoPlayerGame) -> None:
    """Neither the same move again, nor an answer to it that was on its way."""
    table.submit(0, "c3")
    undo(table, 0)
    undo(table, 1)
    for seat, turn, move in ((0, 1, "c3"), (1, 2, "a1"), (0, 2, "c3")):
        reply = table.services.delivery().writer.reply_address(ReplyToken(table.number, seat, turn))
        (answer,) = receive(table.services, table.players[seat].email, reply, move)
        assert f"Turn {turn} was taken back. It is now turn 3." in answer.words
    with pytest.raises(NotYourTurn):
        table.submit(1, "a1")
    assert lines(table) == []


def test_old_email_is_not_about_the_move_played_instead(table: TwoPlayerGame) -> None:
    """A reply without a move is about the current turn only if it answers the last request for a move."""
    table.submit(0, "c3")
    undo(table, 0)
    undo(table, 1)
    table.submit(0, "d4")
    for turn, said in ((1, "Turn 1 was taken back. It is now turn 4."), (3, "You have offered a draw.")):
        address = table.services.delivery().writer.reply_address(ReplyToken(table.number, 0, turn))
        answer = receive(table.services, table.players[0].email, address, "draw")[-1]
        assert said in answer.words


def test_old_report_shows_its_own_turn(table: TwoPlayerGame) -> None:
    """Emails are written when they are sent: until then the move may be taken back."""
    table.submit(0, "c3")
    table.submit(1, "a1")
    before = reports(table)
    undo(table, 1)
    undo(table, 0)
    table.submit(1, "e1")
    assert reports(table)[: len(before)] == before


def reports(table: TwoPlayerGame) -> list[str]:
    """Return the texts of all reports, as they would be sent now."""
    return [letter.words for letter in letters(table.services) if letter.letter == "report"]


def test_clock_of_the_takeback_player_runs_again(services: Services, clock: Clock) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5, time="3d")
    table.submit(0, "c3")
    clock.advance(days=2)
    undo(table, 0)
    clock.advance(hours=1)
    undo(table, 1)
    with reading(services.engine) as session:
        due = [session.get_one(Seat, (table.number, seat)).deadline_at for seat in (0, 1)]
    assert due == [clock() + timedelta(days=3), None]


def test_move_taken_back_adds_nothing_to_the_bank(services: Services, clock: Clock) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5, time="7d+1d/14d")
    clock.advance(days=2)
    table.submit(0, "c3")
    undo(table, 0)
    undo(table, 1)
    with reading(services.engine) as session:
        banks = [session.get_one(Seat, (table.number, seat)).bank for seat in (0, 1)]
    assert banks == [5 * 86_400, 7 * 86_400]


def test_takeback_deletes_conditional_moves(table: TwoPlayerGame) -> None:
    play_with(table, 0, "c3", "if a1 then e1")
    undo(table, 0)
    before = len(letters(table.services))
    undo(table, 1)
    assert kept(table, 0) == []
    after = told(table, before)
    assert "have been deleted: | if a1 then e1" in after[0][-1].words
    assert "if a1" not in after[1][-1].words


def test_automatic_answer_is_taken_back_with_the_move(table: TwoPlayerGame) -> None:
    write(table, 1, "if c3 then a1")
    table.submit(0, "c3")
    undo(table, 0)
    undo(table, 1)
    assert lines(table) == []
    assert bodies(table)[-1] == {"type": "undo", "turn": 3, "of": 1, "seat": 0}


def test_all_of_three_players_must_agree_and_none_may_have_left(services: Services) -> None:
    people = [add_player(services, f"{name}@example.org", name) for name in ("Ann", "Ben", "Cleo")]
    table = TwoPlayerGame.of(services, begin(services, "nexus", *people, players=3))
    for seat, move in enumerate(("add j10 j11 j12", "add p10 o11 n12")):
        table.submit(seat, move)
    undo(table, 0)
    undo(table, 2)
    assert len(lines(table)) == 2
    undo(table, 1)
    assert lines(table) == []
    table.submit(0, "add j10 j11 j12")
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        moves.resign(action, table.players[2], Target(table.number, 2, table.game().turn))
    with pytest.raises(BadRequest, match="Someone has left"):
        undo(table, 0)


def may_undo(services: Services, table: TwoPlayerGame, seat: int) -> bool:
    """Return whether the page offers a takeback to a seat."""
    with reading(services.engine) as session:
        return game_view.game_view(session, services.sealer, session.get_one(Game, table.number), seat).may_undo


@pytest.mark.parametrize("rated", ["on", "off"])
def test_computer_players_agree_unless_the_game_is_rated(services: Services, rated: str) -> None:
    ann = add_player(services, "ann@example.org", "Ann")
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        computer = computer_players.computer(action)
        game = challenges.challenge(
            action, session.get_one(Player, ann.id), [computer], "nebuchadnezzar", {"size": 5, "rated": rated}
        )
    table = TwoPlayerGame.of(services, log.id_of(game))
    mine = [player.name for player in table.players].index("Ann")
    for seat in (0, 1) if mine == 1 else (0,):
        table.submit(seat, ("c3", "a1")[seat])
    assert may_undo(services, table, mine) is (rated == "off")
    if rated == "on":
        with pytest.raises(BadRequest, match="This game is rated, so computer players do not accept takebacks"):
            undo(table, mine)
        assert len(record(table).turns) == mine + 1
        return
    undo(table, mine)
    assert len(lines(table)) == mine
    assert len(record(table).turns) == mine


def test_acceptance_during_a_move_comes_first_or_too_late(services: Services) -> None:
    """A player may agree on one device and move on another: one of both is done, never half of each."""
    for number in range(6):
        people = [
            add_player(services, f"{name}{number}@example.org", f"{name}{number}") for name in ("Ann", "Ben")
        ]
        table = TwoPlayerGame.of(services, begin(services, "nebuchadnezzar", *people, size=5))
        table.submit(0, "c3")
        undo(table, 0)
        with ThreadPoolExecutor(2) as pool:
            agreeing = pool.submit(undo, table, 1, turn=2)
            moving = pool.submit(table.submit, 1, "a1", turn=2)
        refused = [isinstance(done.exception(), StaleReply) for done in (agreeing, moving)]
        assert sorted(refused) == [False, True]
        assert lines(table) == (["c3", "a1"] if refused[0] else [])


# By email


def test_takeback_by_email_needs_undo_from_both(table: TwoPlayerGame) -> None:
    table.submit(0, "c3")
    writer = table.services.delivery().writer
    replies = [writer.reply_address(ReplyToken(table.number, seat, 2)) for seat in (0, 1)]
    written = receive(table.services, table.players[0].email, replies[0], "Undo.")
    noted, asked = sorted(written, key=lambda letter: letter.letter)
    assert "taken back once your opponent agrees" in noted.words
    assert "takeback" in asked.text
    reports = receive(table.services, table.players[1].email, replies[1], "takeback")
    assert [letter.letter for letter in reports] == ["report", "report"]
    assert lines(table) == []


# Random games


@pytest.mark.slow
@pytest.mark.parametrize(("game_type", "options"), SEQUENTIAL, ids=[game_type for game_type, _ in SEQUENTIAL])
def test_random_games_with_takebacks_continue_correctly(
    services: Services, game_type: str, options: dict[str, object]
) -> None:
    table, rules = TwoPlayerGame(services, game_type, **options), RULES[game_type]
    chance = random.Random(game_type)
    standing: list[tuple[int, str]] = []
    while table.game().state == "running" and table.game().turn < 50:
        movers = [seat for seat, move in standing if move != "pass"]
        if chance.random() < 0.25 and {0, 1} <= set(movers):
            asker = chance.randrange(2)
            undo(table, asker)
            undo(table, 1 - asker)
            expected = standing[
                : max(n for n, turn in enumerate(standing) if turn[0] == asker and turn[1] != "pass")
            ]
        else:
            position = log.position_of(table.game())
            (seat,) = rules.to_move(position)
            move = rules.format(rules.sample(position, seat, chance.randrange))
            table.submit(seat, move)
            expected = [*standing, (seat, move)]
        standing = played(table)
        assert standing[: len(expected)] == expected
        assert {move for _, move in standing[len(expected) :]} <= {"pass"}
    found = record(table)
    assert len(bodies(table)) > len(standing)
    assert rules.write(replay(found).position) == table.game().position
    with reading(services.engine) as session:
        game = session.get_one(Game, table.number)
        numbers = [turn.number for turn in history.turns(session, game, ["Ann", "Ben"], 0)]
        assert numbers == sorted(set(numbers))
        assert len(numbers) == len(standing)
        assert session.exec(select(Outbox.letter).where(Outbox.letter == "proposed")).first()


def played(table: TwoPlayerGame) -> list[tuple[int, str]]:
    """Return the valid turns, by seat and move."""
    with reading(table.services.engine) as session:
        return [
            (entry.body["line"]["seat"], entry.body["line"]["move"])
            for entry in log.turns(session, table.game())
        ]


def test_reports_of_games_with_takebacks_can_be_written(table: TwoPlayerGame) -> None:
    """Including reports that were not sent before another takeback."""
    mail_every_turn(table.services)
    table.submit(0, "c3")
    table.submit(1, "a1")
    for asker in (1, 0):
        undo(table, asker)
        undo(table, 1 - asker)
    assert lines(table) == []
    texts = reports(table)
    assert len(texts) == 10
    assert all("a1" in text and "taken back turn" not in text for text in texts[4:6])
    assert all("taken back turn 2" in text for text in texts[6:8])
    assert all("taken back turn 1" in text for text in texts[8:])
