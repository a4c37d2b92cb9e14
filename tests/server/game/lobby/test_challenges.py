"""Challenges and the answers to them."""

from __future__ import annotations

import pytest
from sqlmodel import col, update

from server.accounts import players
from server.errors import BadRequest, NotYours, Refused
from server.game.lobby import challenges
from server.game.log import log
from server.store.models import Player, Seat
from server.store.outbox import ActionContext

OWN = "play@games.example.org"


@pytest.fixture
def ann(action: ActionContext) -> Player:
    return players.register(action, "ann@example.org", "Ann")


@pytest.fixture
def ben_hur(action: ActionContext) -> Player:
    return players.register(action, "ben@example.org", "Ben Hur")


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("Ann", ["Ann"]),
        ("ann", ["Ann"]),
        ("Ben Hur", ["Ben Hur"]),
        ("Ben Hur, ann@example.org", ["Ben Hur", "Ann"]),
        ("Ann ben@example.org", ["Ann", "Ben Hur"]),
        (" Ann ,, Ben Hur ", ["Ann", "Ben Hur"]),
        ("Ben Hur,", ["Ben Hur"]),
        ("Ann and Ben Hur", ["Ann", "Ben Hur"]),
        ("Ben Hur und Ann", ["Ben Hur", "Ann"]),
        ("ann@example.org, and Ben Hur", ["Ann", "Ben Hur"]),
        ("new.one@example.org, Ann & Ben Hur", ["Guest", "Ann", "Ben Hur"]),
        ("new.one@example.org", ["Guest"]),
        ("", []),
    ],
)
def test_opponents_are_read(
    action: ActionContext, ann: Player, ben_hur: Player, written: str, names: list[str]
) -> None:
    assert [each.player.name for each in challenges.opponents(action, written, OWN)] == names


@pytest.mark.parametrize("written", ["Nobody", "Ann Nobody", "ann@", OWN])
def test_invalid_opponents_are_refused(action: ActionContext, ann: Player, written: str) -> None:
    with pytest.raises(BadRequest):
        challenges.opponents(action, written, OWN)


def test_only_invited_players_can_answer(action: ActionContext, ann: Player, ben_hur: Player) -> None:
    game = log.id_of(challenges.challenge(action, ann, [ben_hur], "nebuchadnezzar", {}))
    stranger = players.register(action, "cleo@example.org", "Cleo")
    for answer in (challenges.accept, challenges.decline):
        with pytest.raises(NotYours):
            answer(action, stranger, game)
    challenges.decline(action, ben_hur, game)
    with pytest.raises(Refused, match="is no longer valid"):
        challenges.accept(action, ben_hur, game)


def test_last_player_starts_the_game_even_if_an_acceptance_came_in_between(
    action: ActionContext, ann: Player, ben_hur: Player
) -> None:
    """The email or page of the last player has read the seats before the game was locked."""
    cleo, session = players.register(action, "cleo@example.org", "Cleo"), action.session
    game = challenges.challenge(action, ann, [ben_hur, cleo], "nexus", {"players": 3})
    seated = log.seats(session, game)  # a session forgets rows that nothing refers to
    assert [seat.accepted for seat, _ in seated].count(False) == 2
    in_between = update(Seat).where(col(Seat.player_id) == ben_hur.id).values(accepted=True)
    session.flush()
    session.execute(in_between, execution_options={"synchronize_session": False})
    challenges.accept(action, cleo, log.id_of(game))
    assert all(seat.accepted for seat, _ in seated)
    assert game.state == "running"
