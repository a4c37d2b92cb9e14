"""Page versions change for all readers who may see a change, and only for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlmodel import Session, col, select

from server.accounts import players, relations
from server.game.lobby import challenges, early_start, joining, rematch
from server.game.log import log
from server.game.play import moves
from server.game.preferences import preferences
from server.game.spectators import chat
from server.game.views import versions
from server.game.views.waiting import Waiting
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import AssessedGame, Game, Inquiry, Player, Seat, Tournament
from server.store.outbox import ActionContext
from tests.support.server.games import (
    act,
    begin,
    doing,
    move,
    offer_draw,
    open_game,
    resign,
    say,
    submit,
    take_back,
    tick,
)
from tests.support.server.players import add_player
from tests.support.server.services import Clock
from tests.support.server.tournaments import Field

pytestmark = pytest.mark.both

PLAYERS = {"first", "second", "first's lists", "second's lists"}
BOTH = {"first", "second"}
EVERYBODY = {*PLAYERS, "spectator", "anybody"}
FIRST = {"first", "first's lists"}


class Readers:
    """A game with readers who have its page, two players' lists, or the lobby open."""

    def __init__(self, services: Services, number: int, spectator: Player) -> None:
        self.services, self.number, self.spectator = services, number, spectator
        with reading(services.engine) as session:
            seated = [seat for seat, _ in log.seats(session, session.get_one(Game, number))]
        self.people = [seat.player_id for seat in seated]
        self.known = self.look()

    def look(self) -> dict[str, str]:
        """Return the current version for each reader; "" for a hidden game."""
        with reading(self.services.engine) as session:
            names = dict(zip(("first", "second", "third"), self.people, strict=False))
            readers = {**names, "spectator": self.spectator.id or 0, "anybody": None}
            found = {name: versions.game_version(session, self.number, who, 1) for name, who in readers.items()}
            found |= {
                f"{name}'s lists": versions.lists_version(session, who or 0, 1)
                for name, who in readers.items()
                if who
            }
            found |= {
                "spectator's lobby": versions.lobby_version(session, self.spectator.id, 1),
                "lobby": versions.lobby_version(session, None, None),
            }
        return {name: "" if version is None else version.text for name, version in found.items()}

    def news(self) -> set[str]:
        """Return the readers whose version has changed since the last call."""
        before, self.known = self.known, self.look()
        return {name for name, version in self.known.items() if version != before[name]}

    def act(self, what: Callable[..., Any], *given: object, seat: int = 0) -> None:
        """Carry out an action of a seat in this game and turn."""
        act(self.services, self.number, seat, lambda *target: what(*target, *given))

    def example(self, seat: int) -> str:
        """Return a legal move of a seat."""
        with reading(self.services.engine) as session:
            game = session.get_one(Game, self.number)
            return log.rules_of(game).examples(log.position_of(game), seat)[0]

    def player(self, session: Session, seat: int) -> Player:
        return session.get_one(Player, self.people[seat])

    def mute(self) -> None:
        def do(action: ActionContext) -> None:
            game, seat = (
                action.session.get_one(Game, self.number),
                action.session.get_one(Seat, (self.number, 0)),
            )
            preferences.mute(action, game, seat, self.player(action.session, 0), "2d")

        doing(self.services, do)

    def remark(self) -> None:
        doing(
            self.services,
            lambda action: chat.post(
                action, action.session.get_one(Player, self.spectator.id), self.number, "Oh!"
            ),
        )

    def take_vacation(self) -> None:
        doing(
            self.services,
            lambda action: preferences.take_vacation(action, self.player(action.session, 0), "3d"),
        )

    def answer(self) -> None:
        """Answer a question of the first player to the computer, in two transactions."""
        with writing(self.services.engine) as session:
            now = self.services.now()
            asked = Inquiry(
                game_id=self.number,
                player_id=self.people[0],
                what="hint",
                turn=1,
                seat=0,
                by_mail=False,
                asked_at=now,
            )
            session.add(asked)
            session.flush()
            number = asked.id
        assert self.news() == set(), "the reader who acts already knows"
        with writing(self.services.engine) as session:
            session.get_one(Inquiry, number).answer = {"move": "c3"}

    def end(self) -> None:
        self.act(moves.resign)
        self.news()

    def assess(self) -> None:
        self.end()
        with writing(self.services.engine) as session:
            session.add(AssessedGame(game_id=self.number, answer={}, made_at=self.services.now()))

    def rematch(self) -> None:
        self.end()
        doing(
            self.services,
            lambda action: rematch.again(action, self.player(action.session, 0), self.number),
        )


def agree_on_draw(readers: Readers) -> None:
    for seat in (0, 1):
        readers.act(offer_draw, seat=seat)


def ask_undo(readers: Readers) -> None:
    submit(readers.services, readers.number, 0, "c3")
    readers.news()
    readers.act(take_back)


def agree_to_undo(readers: Readers) -> None:
    ask_undo(readers)
    readers.news()
    readers.act(take_back, seat=1)


def let_offer_expire(readers: Readers) -> None:
    readers.act(offer_draw)
    readers.news()
    for _ in range(2):
        move(readers.services, readers.number)


@pytest.fixture
def readers(services: Services, ann: Player, ben: Player, cleo: Player) -> Readers:
    return Readers(services, begin(services, "nebuchadnezzar", ann, ben, size=5), cleo)


_DONE: dict[str, tuple[Callable[[Readers], object], set[str]]] = {
    "nothing": (lambda _: None, set()),
    "a move": (lambda r: submit(r.services, r.number, 0, "c3"), EVERYBODY),
    "a move with a message": (lambda r: r.act(moves.submit, "c3", "Hello!"), EVERYBODY),
    "a message": (lambda r: say(r.services, r.number, 0, "Hello!"), {*BOTH, "second's lists"}),
    "a note": (lambda r: say(r.services, r.number, 0, "Hm.", private=True), {"first"}),
    "a draw offer": (lambda r: r.act(offer_draw), PLAYERS),
    "the end of a draw offer": (let_offer_expire, EVERYBODY),
    "a draw": (agree_on_draw, EVERYBODY),
    "a request for a takeback": (ask_undo, PLAYERS),
    "a takeback": (agree_to_undo, EVERYBODY),
    "a day more": (lambda r: r.act(moves.give_time, "1d", seat=1), EVERYBODY),
    "a vacation": (Readers.take_vacation, EVERYBODY),
    "conditional moves": (lambda r: r.act(moves.set_conditions, "if c3 then d4", seat=1), set()),
    "a mute": (Readers.mute, set()),
    "spectator chat": (Readers.remark, {"spectator"}),
    "a resignation": (lambda r: r.act(moves.resign), EVERYBODY),
    "an answer to an inquiry": (Readers.answer, {"first"}),
    "an assessment": (Readers.assess, EVERYBODY),
    "a rematch": (Readers.rematch, {"first", "second", "first's lists", "second's lists"}),
}
"""Actions in a game, with the readers whose versions change."""


@pytest.mark.parametrize("done", _DONE)
def test_version_changes_only_for_readers_who_may_see_the_change(readers: Readers, done: str) -> None:
    happens, expected = _DONE[done]
    happens(readers)
    assert readers.news() == expected


def test_players_see_the_spectator_chat_after_the_end(readers: Readers) -> None:
    before = readers.known["first"]
    readers.remark()
    assert readers.look()["first"] == before
    readers.end()
    with writing(readers.services.engine) as session:
        session.get_one(Game, readers.number).chat_version += 1
    assert readers.news() == {"first", "second", "spectator"}


def test_version_changes_when_time_is_up(
    services: Services, clock: Clock, ann: Player, ben: Player, cleo: Player
) -> None:
    readers = Readers(services, begin(services, "nibble", ann, ben, time="1d", timeout="claim"), cleo)
    for _ in range(4):
        tick(services, clock, days=1)
    assert readers.news() == EVERYBODY


@pytest.mark.parametrize("show_ready", ["on", "off"])
def test_secret_orders_change_versions_only_with_visible_readiness(
    services: Services, ann: Player, ben: Player, cleo: Player, show_ready: str
) -> None:
    terms = {"show-ready": show_ready, "delay": "1h"}
    number = begin(services, "nelaxtam", ann, ben, size=10, troops=1, sea=0, **terms)
    readers = Readers(services, number, cleo)
    others = EVERYBODY if show_ready == "on" else FIRST
    submit(services, number, 0, "1 d4")
    assert readers.news() == others
    submit(services, number, 0, "1 e5")
    assert readers.news() == {"first"}, "other readers do not notice changed orders"
    readers.act(moves.withdraw)
    assert readers.news() == others
    for seat in (1, 0):
        readers.news()
        submit(services, number, seat, readers.example(seat))
    assert readers.news() == others, "the delay begins, which is secret, too"


def test_private_message_changes_only_its_receivers_version(
    services: Services, ann: Player, ben: Player, cleo: Player
) -> None:
    dora = add_player(services, "dora@example.org", "Dora")
    readers = Readers(services, begin(services, "nexus", ann, ben, cleo, players=3), dora)
    say(services, readers.number, 0, "Hello!", listener=2)
    assert readers.news() == {"first", "third", "third's lists"}


def test_invitation_changes_its_players_versions(
    services: Services, ann: Player, ben: Player, cleo: Player
) -> None:
    dora = add_player(services, "dora@example.org", "Dora")

    def challenge(action: ActionContext) -> None:
        first, *others = (action.session.get_one(Player, each.id) for each in (ann, ben, cleo))
        challenges.challenge(action, first, others, "nexus", {"players": 3})

    doing(services, challenge)
    readers = Readers(services, 1, dora)
    three = {name + which for name in ("first", "second", "third") for which in ("", "'s lists")}
    doing(services, lambda action: challenges.accept(action, action.session.get_one(Player, ben.id), 1))
    assert readers.news() == three
    doing(services, lambda action: challenges.decline(action, action.session.get_one(Player, cleo.id), 1))
    assert readers.news() == three


def test_lobby_version_changes_when_players_join_and_leave(
    services: Services, ann: Player, ben: Player, cleo: Player
) -> None:
    here = {"first", "first's lists", "spectator", "anybody", "lobby", "spectator's lobby"}
    dora = add_player(services, "dora@example.org", "Dora")
    number = open_game(services, ann, "nexus", players=4)
    readers = Readers(services, number, dora)

    def as_player(player: Player, do: Callable[[ActionContext, Player, int], object]) -> set[str]:
        doing(services, lambda action: do(action, action.session.get_one(Player, player.id), number))
        return readers.news()

    assert as_player(ben, joining.join) == here
    assert as_player(ben, early_start.start) == {"first"}, "only players see who agrees to start"
    assert as_player(ben, joining.leave) == here
    assert as_player(ben, joining.join) == here
    other = open_game(services, cleo)
    assert readers.news() == {"lobby", "spectator's lobby"}
    resigned = begin(services, "nibble", ann, ben)
    resign(services, resigned, ben)
    assert readers.news() == {"first's lists"}
    doing(services, lambda action: joining.leave(action, action.session.get_one(Player, cleo.id), other))
    assert readers.news() == {"lobby", "spectator's lobby"}
    doing(services, lambda action: relations.block(action, action.session.get_one(Player, ann.id), "Dora"))
    assert readers.news() == {"spectator", "spectator's lobby"}
    assert as_player(cleo, joining.join) == here - {"spectator", "spectator's lobby"}


def test_anonymous_open_game_is_only_for_players(services: Services, ann: Player, ben: Player) -> None:
    readers = Readers(services, open_game(services, ann, "nexus", players=3, anonymous="on"), ben)
    assert readers.known["anybody"] == ""
    cleo = add_player(services, "cleo@example.org", "Cleo")
    doing(services, lambda action: joining.join(action, action.session.get_one(Player, cleo.id), 1))
    assert readers.news() == {"first", "first's lists", "spectator", "spectator's lobby"}


def test_tournament_version_changes_with_players_and_results(field: Field) -> None:
    known = [0]

    def has_news() -> bool:
        with reading(field.services.engine) as session:
            version = versions.tournament_version(session, field.number, None, None)
            stored = session.get_one(Tournament, field.number).version
        assert version is not None
        before, known[0] = known[0], stored
        assert stored >= before
        return stored > before

    assert not has_news()
    field.enter("Ann", "Ben", "Cleo", "Dora")
    assert has_news()
    field.leave("Dora")
    assert has_news()
    field.enter("Emil")
    field.tick()
    assert has_news(), "the first round starts"
    pairing = field.going_on()[0]
    field.move(pairing)
    field.tick()
    assert not has_news(), "a move is not on its page"
    field.win(pairing, field.names(pairing)[0])
    assert not has_news(), "a result is, once it is counted"
    field.tick()
    assert has_news()
    field.leave(field.names(field.going_on()[0])[0])
    field.tick()
    assert has_news()


def test_version_knows_whose_login_it_is(services: Services, ann: Player, ben: Player) -> None:
    number = begin(services, "nibble", ann, ben)
    with reading(services.engine) as session:
        found = versions.game_version(session, number, players.identity(ann), 99)
        waiting = session.exec(select(Seat.player_id).where(col(Seat.owes))).one()
        turns = int(waiting == ann.id)
        assert found is not None
        assert (found.is_reader, found.waiting) == (False, Waiting(games=turns, turns=turns, messages=0))
        assert versions.game_version(session, 99, None, None) is None
        assert versions.tournament_version(session, 99, None, None) is None
