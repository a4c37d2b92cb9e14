"""Random games with all sorts of actions: a version counter rises whenever its reader's view changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

import pytest
from sqlmodel import Session, select

from rules.errors import WrongMove
from rules.registry import RULES
from server.errors import Refused
from server.game.log import log
from server.game.play import moves
from server.game.spectators import chat
from server.game.views import versions
from server.game.views.game_view import GameView, game_view
from server.game.views.seats import SeatView
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, GameMessage, Player, SpectatorMessage
from server.store.models.message_audience import is_audible_to
from tests.support.random_values import seeds
from tests.support.server.games import act, begin, doing, offer_draw, say, state_of, take_back, tick
from tests.support.server.players import add_player
from tests.support.server.services import Clock

_STEPS = 40
_GAMES = [*((name, "on") for name in RULES), ("nelaxtam", "off"), ("nexus", "off")]


@dataclass(frozen=True)
class _Play:
    """A game with a spectator."""

    services: Services
    clock: Clock
    number: int
    seats: int
    spectator: Player
    random: Random

    def move(self, seat: int) -> None:
        with reading(self.services.engine) as session:
            game = session.get_one(Game, self.number)
            rules, position = log.rules_of(game), log.position_of(game)
            owing = rules.to_move(position)
            seat = owing[seat % len(owing)]
            text = rules.format(rules.sample(position, seat, self.random.randrange))
        self.do(moves.submit, seat, text)

    def say(self, seat: int, *, private: bool = False, listener: int | None = None) -> None:
        say(self.services, self.number, seat, "Hello!", private=private, listener=listener)

    def remark(self) -> None:
        spectator = self.spectator.id
        doing(
            self.services,
            lambda action: chat.post(action, action.session.get_one(Player, spectator), self.number, "Oh!"),
        )

    def do(self, what: Callable[..., Game], seat: int, *given: object) -> None:
        act(self.services, self.number, seat, lambda *target: what(*target, *given))


_ACTS: dict[str, Callable[[_Play, int], object]] = {
    "move": _Play.move,
    "message": _Play.say,
    "private message": lambda play, seat: play.say(seat, listener=(seat + 1) % play.seats),
    "note": lambda play, seat: play.say(seat, private=True),
    "chat": lambda play, _: play.remark(),
    "draw": lambda play, seat: play.do(offer_draw, seat),
    "takeback": lambda play, seat: play.do(take_back, seat),
    "withdraw": lambda play, seat: play.do(moves.withdraw, seat),
    "give": lambda play, seat: play.do(moves.give_time, seat, "1h"),
    "time": lambda play, _: tick(play.services, play.clock, hours=play.random.randrange(30)),
}


@pytest.mark.parametrize("seed", seeds(1, of=5))
@pytest.mark.parametrize(("game_type", "show_ready"), _GAMES)
def test_visible_changes_change_the_version(
    services: Services,
    clock: Clock,
    ann: Player,
    ben: Player,
    cleo: Player,
    game_type: str,
    show_ready: str,
    seed: int,
) -> None:
    random, rules = Random(f"{game_type} {show_ready} {seed}"), RULES[game_type]
    terms = {"show-ready": show_ready, "delay": "1h"} if rules.simultaneous else {}
    people = [ann, ben, cleo][: len(rules.seats(rules.options({})))]
    number = begin(services, game_type, *people, time="20d", **terms)
    dora = add_player(services, "dora@example.org", "Dora")
    play = _Play(services, clock, number, len(people), dora, random)
    done, before = set(), _seen(play)
    for _ in range(_STEPS):
        (name,) = random.choices(list(_ACTS), [len(_ACTS) if each == "move" else 1 for each in _ACTS])
        try:
            _ACTS[name](play, random.randrange(play.seats))
        except (Refused, WrongMove):
            continue
        done.add(name)
        after = _seen(play)
        for reader, (view, version) in after.items():
            changed, risen = view != before[reader][0], version != before[reader][1]
            assert risen or not changed, (name, reader)
            assert changed or not risen or name == "draw", (name, reader)  # an offer may be renewed
        before = after
        if state_of(services, number) == "over":
            break
    assert "move" in done
    assert len(done) > 3


def _seen(play: _Play) -> dict[int | None, tuple[object, str]]:
    """Return the view and the version for each seat, -1 for a spectator and None for visitors."""
    with reading(play.services.engine) as session:
        game = session.get_one(Game, play.number)
        people = {seat.number: player.id for seat, player in log.seats(session, game)}
        return {
            seat: (
                _view(session, play, game, seat),
                _version(session, play.number, None if seat is None else people.get(seat, play.spectator.id)),
            )
            for seat in (*people, -1, None)
        }


def _version(session: Session, number: int, player: int | None) -> str:
    found = versions.game_version(session, number, player, None)
    assert found is not None
    return found.text


def _view(session: Session, play: _Play, game: Game, seat: int | None) -> object:
    """Return everything that a reader sees on the page, except results of their own actions."""
    own = None if seat == -1 else seat
    view = game_view(session, play.services.sealer, game, own)
    said_here = select(GameMessage.id).where(GameMessage.game_id == game.id)
    chat_is_seen = seat == -1 or (own is not None and game.state == "over")
    said = () if own is None else session.exec(said_here.where(is_audible_to(own))).all()
    remarks = session.exec(select(SpectatorMessage.id)).all() if chat_is_seen else ()
    return _shown(view), tuple(said), tuple(remarks)


def _shown(view: GameView) -> GameView:
    """Return the view without parts that pages leave out: offers to others, and others' sealed orders."""
    seats = tuple(_shown_seat(view, seat) for seat in view.seats)
    return replace(view, seats=seats, me=None, muted_until="", my_conditions=(), my_words="")


def _shown_seat(view: GameView, seat: SeatView) -> SeatView:
    if view.me is None:
        seat = replace(seat, proposals=())
    is_own = view.me is not None and seat.number == view.me.number
    return seat if is_own else replace(seat, commitment="sealed" if seat.commitment else "")
