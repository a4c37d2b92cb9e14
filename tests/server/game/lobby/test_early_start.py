"""Open games that start before all seats are taken, because all players agree."""

from __future__ import annotations

import pytest
from sqlmodel import select

from server.accounts import players, relations
from server.errors import BadRequest, NotRunning, NotYours
from server.game.lobby import early_start, joining
from server.game.log import log
from server.store.models import Game, Outbox, Player
from server.store.outbox import ActionContext

FOUR = {"players": 4}


@pytest.fixture
def people(action: ActionContext) -> list[Player]:
    """Ann, Ben, Cleo and Dan."""
    names = ("Ann", "Ben", "Cleo", "Dan")
    return [players.register(action, f"{name.lower()}@example.org", name) for name in names]


def letters(action: ActionContext) -> list[tuple[str, str]]:
    """Return the letters to be sent, with their receivers, except welcomes and reports."""
    rows = action.session.exec(select(Outbox.letter, Outbox.recipient).order_by(Outbox.id))  # type: ignore[arg-type]
    return [(letter, to.partition("@")[0]) for letter, to in rows if letter not in ("welcome", "report")]


def opened(action: ActionContext, *company: Player, game_type: str = "nexus", seats: int = 4) -> Game:
    """Return an open game with this number of seats that these players have joined."""
    game = joining.seek(action, company[0], game_type, {"players": seats} if game_type == "nexus" else {})
    for player in company[1:]:
        joining.join(action, player, log.id_of(game))
    return game


def agreed(action: ActionContext, game: Game, viewer: Player) -> tuple[str, ...]:
    """Return the players who have agreed to start, as one of them sees it."""
    found = early_start.view(action.session, game, viewer.id)
    assert found is not None
    return found.agreed


@pytest.mark.both
def test_open_game_starts_early_when_all_agree(action: ActionContext, people: list[Player]) -> None:
    ann, ben, cleo, _ = people
    game = opened(action, ann, ben, cleo)
    number = log.id_of(game)
    before = len(letters(action))
    early_start.start(action, ben, number)
    assert letters(action)[before:] == [("start_asked", "ann"), ("start_asked", "cleo")]
    assert (game.state, agreed(action, game, cleo)) == ("open", ("Ben",))
    with pytest.raises(BadRequest, match=r"already agreed\. Game 1 starts once Ann and Cleo agree too"):
        early_start.start(action, ben, number)
    early_start.start(action, ann, number)
    assert len(letters(action)) == before + 2, "Cleo sees that her agreement is missing"
    early_start.start(action, cleo, number)
    assert (game.state, game.options, len(log.seats(action.session, game))) == ("running", {"players": 3}, 3)
    assert log.entries(action.session, game)[0].body["options"] == {"players": 3}
    with pytest.raises(NotRunning, match="already started"):
        early_start.start(action, ann, number)


@pytest.mark.both
@pytest.mark.parametrize("seats", [3, 4])
def test_two_players_can_start_without_the_others(
    action: ActionContext, people: list[Player], seats: int
) -> None:
    ann, ben, *_ = people
    game = opened(action, ann, ben, seats=seats)
    for player in (ann, ben):
        early_start.start(action, player, log.id_of(game))
    assert (game.state, game.options) == ("running", {"players": 2})


@pytest.mark.both
def test_joining_or_leaving_cancels_the_agreement(action: ActionContext, people: list[Player]) -> None:
    ann, ben, cleo, _ = people
    game = opened(action, ann, ben)
    number = log.id_of(game)
    early_start.start(action, ann, number)
    joining.join(action, cleo, number)
    assert agreed(action, game, ann) == ()
    early_start.start(action, ben, number)
    assert letters(action)[-2:] == [("start_asked", "ann"), ("start_asked", "cleo")], "both are asked again"
    early_start.start(action, ann, number)
    joining.leave(action, cleo, number)
    assert (game.state, agreed(action, game, ann)) == ("open", ())


def test_player_who_cannot_play_is_removed_and_cancels_the_agreement(
    action: ActionContext, people: list[Player]
) -> None:
    ann, ben, cleo, _ = people
    game = opened(action, ann, ben, cleo)
    number = log.id_of(game)
    early_start.start(action, ben, number)
    cleo.mail_stopped = True
    early_start.start(action, ann, number)
    assert (game.state, game.asked, agreed(action, game, ben)) == ("open", [ann.id, ben.id], ("Ann",))
    early_start.start(action, ben, number)
    assert (game.state, game.options) == ("running", {"players": 2})


def test_agreement_counts_for_a_player_who_moves_up(action: ActionContext, people: list[Player]) -> None:
    ann, ben, cleo, _ = people
    game = opened(action, ann, ben, cleo)
    ben.mail_stopped = True
    early_start.start(action, cleo, log.id_of(game))
    assert (game.asked, agreed(action, game, ann)) == ([ann.id, cleo.id], ("Cleo",))


def test_impossible_early_start_is_refused(action: ActionContext, people: list[Player]) -> None:
    ann, ben, cleo, dan = people
    for game_type in ("nexus", "nibble"):
        alone = opened(action, ann, game_type=game_type)
        assert early_start.view(action.session, alone, ann.id) is None
        with pytest.raises(BadRequest, match="No other player has joined game"):
            early_start.start(action, ann, log.id_of(alone))
    game = opened(action, ann, ben)
    number = log.id_of(game)
    with pytest.raises(NotYours, match="You have not joined game"):
        early_start.start(action, cleo, number)
    with pytest.raises(NotYours, match="no open game 99"):
        early_start.start(action, ann, 99)
    ben.suspended_at = action.now
    with pytest.raises(BadRequest, match="Nabu cannot send you email"):
        early_start.start(action, ben, number)
    ben.suspended_at = None
    relations.block(action, ben, "Ann")
    with pytest.raises(BadRequest, match=f"Game {number} cannot start with its present players"):
        early_start.start(action, ann, number)
    assert early_start.view(action.session, game, dan.id) is None


def test_early_start_is_refused_if_the_rules_do_not_allow_so_few(
    action: ActionContext, people: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = opened(action, *people[:2])
    monkeypatch.setattr(early_start, "fewer", lambda _: None)
    with pytest.raises(BadRequest, match="2 players cannot play NEXUS und Rabauken with the options of game 1"):
        early_start.start(action, people[0], log.id_of(game))


def test_requests_to_start_early_are_limited(action: ActionContext, people: list[Player]) -> None:
    ann, ben, cleo, _ = people
    game = opened(action, ann, ben)
    for _ in range(15):
        early_start.start(action, ann, log.id_of(game))
        joining.join(action, cleo, log.id_of(game))
        joining.leave(action, cleo, log.id_of(game))
        action.session.flush()
    assert letters(action).count(("start_asked", "ben")) == 10
