"""Messages between the players of a game, and their private notes."""

import re
from collections import Counter
from collections.abc import Sequence

from sqlalchemy import ColumnElement
from sqlmodel import Session, col

from rules.sentences import quoted
from server.accounts import bans, relations
from server.clock.spans import DAY
from server.errors import BadRequest, Impossible, NotRunning
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
"""The most messages and notes of a seat in a game within a day, besides messages with a move."""
SAID_MUCH = (
    f"You have sent more than {MOST_AT_WILL} messages in this game within a day. Further messages are saved "
    "and shown on the game's page, but the others may get them by email only with the next turn."
)


def say(action: ActionContext, game: Game, seat: int, text: str) -> None:
    """Store a message of `seat` to the other players, and email it to those who do not ignore the sender.

    "" does nothing. Raises as `keep` does.
    """
    said = keep(action, game, seat, text)
    if not said:
        return
    seated = log.seats(action.session, game)
    for other in seated:
        if other.seat.number != seat:
            _mail(action, game, other, seated[seat], game_letters.Message(speaker=seat, said=said))


def tell(action: ActionContext, game: Game, seat: int, listener: int, text: str) -> None:
    """Store a message of `seat` to one other player, the `listener`, and email it. Raises as `keep` does.

    In a game of two players it is an ordinary message.
    """
    seated = log.seats(action.session, game)
    if len(seated) == 2:
        say(action, game, seat, text)
        return
    said = keep(action, game, seat, text, listener=listener)
    letter = game_letters.Message(speaker=seat, said=said, alone=True)
    _mail(action, game, seated[listener], seated[seat], letter)


def listeners(game: Game, seated: Sequence[Seated], writer: int) -> dict[int, str]:
    """Return the names of all players who can receive messages from the seat `writer`, by seat."""
    own = seated[writer].player.id
    return {
        seat.number: called(game, seat, player, own)
        for seat, player in seated
        if seat.number != writer and not player.computer
    }


def addressed(game: Game, seated: Sequence[Seated], writer: int, text: str) -> tuple[int, str]:
    """Split a text such as "Ben: hello" into the seat of the player that it names, and the message.

    The name may also be a first name that only one of the other players has, or a colour or another title of a
    seat. Raises BadRequest if there is no name or no message.
    """
    people = listeners(game, seated, writer)
    first_names = [(name.split()[0], seat) for seat, name in people.items()]
    firsts = Counter(name.casefold() for name, _ in first_names)
    rules = log.rules_of(game)
    titles = rules.titles(log.position_of(game)) or rules.seats(game.options)
    names = [(name, seat) for seat, name in people.items()] + [(titles[seat], seat) for seat in people]
    names += [(name, seat) for name, seat in first_names if firsts[name.casefold()] == 1]
    for name, seat in sorted(names, key=lambda each: -len(each[0])):
        if re.match(rf"{re.escape(name)}\b", text, re.IGNORECASE):
            said = text[len(name) :].strip(" \t\n:,")
            if not said:
                raise BadRequest(f"The message after {quoted(text)} is missing. Write: tell {name} TEXT")
            return seat, said
    known = ", ".join(f"tell {name} TEXT" for name in people.values())
    first = text.partition("\n")[0]
    raise BadRequest(
        f"{quoted(first)} does not begin with the name of another player in this game. Write: {known}"
    )


def check_amount(action: ActionContext, game: Game, seat: int) -> None:
    """Raise BadRequest if a seat has written the most messages allowed in a day.

    Do not call it for a message with a move: these are never refused.
    """
    if count_rows(action.session, *_said_today(action, game, seat)) >= MOST_SAID:
        raise Impossible(
            f"You have written {MOST_SAID} messages and notes in this game within a day. You can write more "
            "tomorrow; messages with a move are still sent."
        )


def has_said_much(action: ActionContext, game: Game, seat: int) -> bool:
    """Return whether a seat has sent so many messages today that more are not emailed immediately.

    This reveals nothing about the others, who may get them by email later, or never.
    """
    aloud = col(GameMessage.private).is_(False)
    return count_rows(action.session, aloud, *_said_today(action, game, seat)) > MOST_AT_WILL


def _said_today(action: ActionContext, game: Game, seat: int) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for messages and notes of a seat within a day."""
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
    """Store a message of `seat` to all or to one `listener`, or a private note; "" is not stored.

    Returns the stored text, from which Nabu's secrets are removed. Pass on only this text, never the original.
    A player who writes is present: the turn is not counted as missed. Raises NotRunning before the game starts,
    because invited players must not get messages from people whom they may not know. Raises BadRequest for
    suspended players, except for notes.
    """
    if not text:
        return ""
    if not log.has_begun(game):
        raise NotRunning(
            f"Game {game.id} has not started yet. You can write messages and notes once all have accepted."
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
    """Return whether the player `listener` receives messages from the player `speaker` in a game.

    In an anonymous game everyone does: a missing message would reveal its ignored writer.
    """
    return is_nameless(game) or not relations.mutes(session, listener, speaker)


def _mail(
    action: ActionContext, game: Game, listener: Seated, speaker: Seated, letter: game_letters.Message
) -> None:
    """Email a message to a player, unless they ignore the sender."""
    if hears(action.session, game, listener.player, speaker.player):
        action.put_to_player(listener.player, letter, About(listener.seat.game_id, listener.seat.number))
