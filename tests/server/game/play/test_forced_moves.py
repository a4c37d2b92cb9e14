"""Automatic play of the only legal move, for players who choose it."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from flask import Flask

from rules.game import Step
from rules.records import verification
from rules.records.proof import Seed
from rules.registry import RULES
from server.errors import BadRequest
from server.game.lobby import challenges
from server.game.log import log
from server.game.preferences import preferences
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player
from server.store.outbox import ActionContext
from tests.support.server.emails import letters, receive
from tests.support.server.games import TwoPlayerGame, begin
from tests.support.server.players import add_player
from tests.support.web.client import logged_in

GAMES: list[tuple[str, dict[str, object]]] = [
    ("nebuchadnezzar", {"size": 4}),
    ("nardshir", {}),
    ("nibble", {"board": "square-9"}),
]


def begun(
    services: Services, ann: Player, ben: Player, game_type: str, options: dict[str, object]
) -> TwoPlayerGame:
    """Start a game that always has the same course."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        people = [session.get_one(Player, player.id) for player in (ann, ben)]
        game = challenges.challenge(
            action, people[0], people[1:], game_type, options, seed=Seed(bytes(range(32)))
        )
        number = log.id_of(challenges.accept(action, people[1], log.id_of(game)))
    return TwoPlayerGame.of(services, number)


def choose(table: TwoPlayerGame, seat: int, text: str = "on") -> str:
    """Set the preference of a seat's player; return the answer."""
    with writing(table.services.engine) as session:
        action = ActionContext(session, table.services.sealer, table.services.now())
        return preferences.set_forced_moves(action, session.get_one(Player, table.players[seat].id), text)


def choices(game: Game) -> int:
    """Return the number of legal moves, at most 2; 0 when the game is over."""
    rules = log.rules_of(game)
    if game.state != "running":
        return 0
    position = log.position_of(game)
    (seat,) = rules.to_move(position)
    return len(list(islice(rules.moves(position, seat), 2)))


def play_on(table: TwoPlayerGame, chance: random.Random, turns: int) -> list[int]:
    """Play at random, and check that exactly the moves that should be automatic are.

    Returns the number of legal moves at each choice.
    """
    found = []
    while table.game().state == "running" and table.game().turn < turns:
        game = table.game()
        found.append(choices(game))
        rules, position = log.rules_of(game), log.position_of(game)
        (seat,) = rules.to_move(position)
        table.submit(seat, rules.format(rules.sample(position, seat, chance.randrange)))
    return found


def steps(table: TwoPlayerGame) -> list[Step[object, object]]:
    with reading(table.services.engine) as session:
        return [step for _, step in log.steps(session, table.game())]


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize(("game_type", "options"), GAMES, ids=[game_type for game_type, _ in GAMES])
def test_only_legal_move_is_played_automatically(
    services: Services, ann: Player, ben: Player, game_type: str, options: dict[str, object]
) -> None:
    table = begun(services, ann, ben, game_type, options)
    for seat in (0, 1):
        assert "played for you" in choose(table, seat)
    chance = random.Random(7)
    by_hand = play_on(table, chance, 160)
    assert set(by_hand[1:]) <= {2}, "a player without a choice is not asked to move"
    told = {letter.words for letter in letters(services) if letter.letter == "report"}
    forced = [words for words in told if "because there was no other legal move: turn" in words]
    rules = RULES[game_type]
    alone = [
        step
        for step in steps(table)
        if rules.forced(step.before) is None
        and len(list(islice(rules.moves(step.before, next(iter(step.moves))), 2))) == 1
    ]
    assert len(steps(table)) == len(by_hand) + len(alone) + passes(table)
    assert bool(forced) == bool(alone)
    assert forced or game_type != "nebuchadnezzar"
    with reading(services.engine) as session:
        assert verification.verify(log.record(session, table.game()).to_json()).wrong is None


def passes(table: TwoPlayerGame) -> int:
    with reading(table.services.engine) as session:
        return sum(turn.body["line"]["move"] == "pass" for turn in log.turns(session, table.game()))


def test_nothing_is_played_for_players_who_did_not_choose_it(
    services: Services, ann: Player, ben: Player
) -> None:
    table = begun(services, ann, ben, *GAMES[0])
    assert play_on(table, random.Random(7), 60).count(1) >= 2
    assert not any("there was no other legal move" in letter.words for letter in letters(services))


@pytest.mark.parametrize(("count", "turn"), [(2, 3), (3, 2)])
def test_forced_moves_are_played_only_with_two_players_left(
    services: Services, ann: Player, ben: Player, monkeypatch: pytest.MonkeyPatch, count: int, turn: int
) -> None:
    seated = [ann, ben, add_player(services, "cleo@example.org", "Cleo")][:count]
    table = TwoPlayerGame.of(services, begin(services, "nexus", *seated, players=count))
    choose(table, 1)
    rules = log.rules_of(table.game())
    every_move = type(rules).moves
    monkeypatch.setattr(type(rules), "moves", lambda *arguments: islice(every_move(*arguments), 1))
    (move,) = rules.moves(log.position_of(table.game()), 0)
    table.submit(0, rules.format(move))
    assert table.game().turn == turn


def test_forced_moves_are_played_only_for_the_player_who_chose_them(
    services: Services, ann: Player, ben: Player
) -> None:
    asked = set()
    for seed in (14, 18):
        table = begun(services, ann, ben, *GAMES[0])
        choose(table, 0)
        choose(table, 1, "off")
        chance = random.Random(seed)
        while (game := table.game()).state == "running":
            rules, position = log.rules_of(game), log.position_of(game)
            (seat,) = rules.to_move(position)
            asked.add((seat, choices(game)))
            table.submit(seat, rules.format(rules.sample(position, seat, chance.randrange)))
    assert asked == {(0, 2), (1, 1), (1, 2)}
    assert any("there was no other legal move" in letter.words for letter in letters(services))


@pytest.mark.parametrize("text", ["on", "ON.", "off"])
def test_forced_moves_are_chosen_by_email(services: Services, ann: Player, text: str) -> None:
    (answer,) = receive(services, ann.email, "play@games.example.org", f"forced {text}")
    assert ("as soon as your opponent has moved" in answer.words) == (text != "off")
    with reading(services.engine) as session:
        assert session.get_one(Player, ann.id).forced_moves == (text != "off")


def test_invalid_value_for_forced_moves_is_refused(services: Services, ann: Player, ben: Player) -> None:
    table = begun(services, ann, ben, "nibble", {})
    with pytest.raises(BadRequest, match="forced on, or: forced off"):
        choose(table, 0, "perhaps")


def test_forced_moves_are_chosen_in_the_browser(app: Flask, services: Services, ann: Player) -> None:
    browser = logged_in(app, services, ann)
    for chosen in ("on", "off"):
        browser.send("/settings", forced=chosen)
        choices = browser.get("/settings").text.partition('name="forced"')[2].partition("</select>")[0]
        assert f'<option value="{chosen}" selected>' in choices
