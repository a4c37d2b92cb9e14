"""What players say to one another in a game that has begun, and what they note for themselves."""

import re
from collections.abc import Sequence

from sqlalchemy import ColumnElement
from sqlmodel import Session, col

from server.accounts import bans, relations
from server.clock.spans import DAY
from server.errors import BadRequest, NotRunning
from server.game.log import log
from server.game.log.display_names import called, is_nameless
from server.game.log.log import Seated
from server.limits import LONGEST_MESSAGE
from server.store.db import count_rows
from server.store.deferral import MOST_AT_WILL
from server.store.letters import game as game_letters
from server.store.letters.letter import About
from server.store.models import Game, GameMessage, Player, Seat
from server.store.outbox import ActionContext

MOST_SAID = 100
"""Things that a seat says or notes in a game within a day, besides those that go with moves."""
SAID_MUCH = (
    f"You have said more than {MOST_AT_WILL} things in this game within a day. What you say is saved and "
    "shown on the game's page, but the others may not get it by email until the next turn."
)


def say(action: ActionContext, game: Game, seat: int, text: str) -> None:
    """Keep what `seat` says and mail it to those of the others who do not ignore it; "" says nothing.

    Raises as `keep` does.
    """
    said = keep(action, game, seat, text)
    if not said:
        return
    seated = log.seats(action.session, game)
    for other in seated:
        if other.seat.number != seat:
            _mail(action, game, other, seated[seat], game_letters.Message(speaker=seat, said=said))


def tell(action: ActionContext, game: Game, seat: int, listener: int, text: str) -> None:
    """Keep what `seat` says to one of the others alone, and mail it to them. Raises as `keep` does.

    With nobody else at the table it is said to all.
    """
    seated = log.seats(action.session, game)
    if len(seated) == 2:
        say(action, game, seat, text)
        return
    said = keep(action, game, seat, text, listener=listener)
    letter = game_letters.Message(speaker=seat, said=said, alone=True)
    _mail(action, game, seated[listener], seated[seat], letter)


def listeners(game: Game, seated: Sequence[Seated], writer: int) -> dict[int, str]:
    """The people to whom the words of a seat go: what they are called there, by seat."""
    own = seated[writer].player.id
    return {
        seat.number: called(game, seat, player, own)
        for seat, player in seated
        if seat.number != writer and not player.computer
    }


def addressed(game: Game, seated: Sequence[Seated], writer: int, text: str) -> tuple[int, str]:
    """The seat that a text begins with, by its name or its colour, and the rest of it. Raises BadRequest."""
    people = listeners(game, seated, writer)
    rules = log.rules_of(game)
    titles = rules.titles(log.position_of(game)) or rules.seats(game.options)
    names = [(name, seat) for seat, name in people.items()] + [(titles[seat], seat) for seat in people]
    for name, seat in sorted(names, key=lambda each: -len(each[0])):
        if re.match(rf"{re.escape(name)}\b", text, re.IGNORECASE):
            said = text[len(name) :].strip(" \t\n:,")
            if not said:
                raise BadRequest(f"There is nothing after “{text:.40}”. Write: tell {name} TEXT")
            return seat, said
    known = ", ".join(f"tell {name} TEXT" for name in people.values())
    first = text.partition("\n")[0]
    raise BadRequest(f"“{first:.40}” does not begin with the name of another player here. Write: {known}")


def check_amount(action: ActionContext, game: Game, seat: int) -> None:
    """Raise BadRequest if a seat has said and noted enough today; what goes with a move is never refused."""
    if count_rows(action.session, *_said_today(action, game, seat)) >= MOST_SAID:
        raise BadRequest(
            f"You have said or noted {MOST_SAID} things in this game within a day. You can go on tomorrow; "
            "what you write along with a move is still passed on."
        )


def has_said_much(action: ActionContext, game: Game, seat: int) -> bool:
    """Whether a seat has said more today than is mailed to the others at once.

    This tells nothing of the others: they may have it mailed later anyway, or not at all.
    """
    aloud = col(GameMessage.private).is_(False)
    return count_rows(action.session, aloud, *_said_today(action, game, seat)) > MOST_AT_WILL


def _said_today(action: ActionContext, game: Game, seat: int) -> tuple[ColumnElement[bool], ...]:
    """Conditions on messages: a seat has said or noted them within a day."""
    of_seat = col(GameMessage.game_id) == game.id, col(GameMessage.seat) == seat
    return *of_seat, col(GameMessage.said_at) > action.now - DAY


def keep(
    action: ActionContext,
    game: Game,
    seat: int,
    text: str,
    *,
    private: bool = False,
    listener: int | None = None,
) -> str:
    """Store what `seat` says, to all or to one `listener`, or notes; an empty text says nothing.

    Returns the stored text, without our secrets. Pass on only this, never the original.

    Someone who says something is there: the turn is not counted as missed. Raises NotRunning before the game
    begins: nobody who has not accepted yet is told anything by people whom they may not know. Raises BadRequest
    for somebody who is suspended, but for a note of their own.
    """
    if not text:
        return ""
    if not log.has_begun(game):
        raise NotRunning(
            f"Game {game.id} has not begun yet: nothing can be said or noted until everyone has accepted."
        )
    place = action.session.get_one(Seat, (log.id_of(game), seat))
    if not private:
        bans.check(action.session, action.session.get_one(Player, place.player_id), action.now)
    said = action.sealer.without_secrets(text, LONGEST_MESSAGE)
    message = GameMessage(
        game_id=log.id_of(game),
        turn=game.turn,
        seat=seat,
        private=private,
        listener=listener,
        sealed=action.sealer.seal(said.encode()),
        said_at=action.now,
    )
    action.session.add(message)
    place.heard_turn = game.turn
    return said


def hears(session: Session, game: Game, listener: Player, speaker: Player) -> bool:
    """Whether a player hears what another says.

    While nobody may know who plays they do, whomever they ignore: not to hear somebody would tell who it is.
    """
    return is_nameless(game) or not relations.mutes(session, listener, speaker)


def _mail(
    action: ActionContext, game: Game, listener: Seated, speaker: Seated, letter: game_letters.Message
) -> None:
    """Mail a player what another says, unless they do not hear them."""
    if hears(action.session, game, listener.player, speaker.player):
        action.put_to_player(listener.player, letter, About(listener.seat.game_id, listener.seat.number))
