"""Notifications of turns besides email: channels of other services, and browsers."""

from collections import defaultdict
from collections.abc import Sequence

from sqlmodel import select

from server.game.log.log import Seated
from server.game.notifications.services import service_at
from server.store import channels
from server.store.db import inserting
from server.store.models import Channel, Game, Notice, Player, Seat
from server.store.outbox import ActionContext
from server.store.statements import prepared_statements
from server.wording import on_or_off


def choose(action: ActionContext, whose: Player | Seat, text: str) -> str:
    """Set the channel in which a player is notified of their turns; "off" for none. Raises BadRequest.

    Returns a sentence for the player. With a seat, the channel is for its game only, in place of the player's.
    """
    channel = _named(action, text)
    before, whose.channel_id = whose.channel_id, None if channel is None else channel.id
    _forget(action, before)
    of_game = isinstance(whose, Seat)
    if channel is not None:
        return f"When it is your turn{' in this game' if of_game else ''}, {channel.service} will notify you."
    if of_game:
        return "This game no longer has its own channel."
    return "You will no longer be notified in any channel."


def in_words(action: ActionContext, whose: Player | Seat) -> str:
    """Return a sentence about the channel of a player; with a seat, about the one for its game."""
    channel = action.session.get(Channel, whose.channel_id) if whose.channel_id is not None else None
    if channel is not None:
        return f"Now: {channel.service}."
    return "Now: as in your settings." if isinstance(whose, Seat) else "Now: off."


def call(action: ActionContext, game: Game, seated: Sequence[Seated]) -> None:
    """Queue notifications for all players of a game whose turn begins, in their channels and browsers.

    Players with the same channel get one notification.
    """
    if game.state != "running":
        return
    asked = [
        (seat, player)
        for seat, player in seated
        if seat.owes and not (seat.muted_until is not None and seat.muted_until > action.now)
    ]
    called: dict[int, list[int]] = defaultdict(list)
    browsers = _browsers(action, [player for _, player in asked])
    for seat, player in asked:
        for channel in (seat.channel_id or player.channel_id, *browsers[player.id]):
            if channel is not None:
                called[channel].append(seat.number)
    for channel in channels.lasting(action.session, called):
        row = {
            "channel_id": channel,
            "game_id": game.id,
            "turn": game.turn,
            "seats": called[channel],
            "due_at": action.now,
        }
        action.session.execute(inserting(action.session, Notice).values(row).on_conflict_do_nothing())


def _browsers(action: ActionContext, people: Sequence[Player]) -> dict[int | None, list[int]]:
    found: dict[int | None, list[int]] = defaultdict(list)
    for player, channel in prepared_statements.BROWSERS(
        action.session, players=[player.id for player in people]
    ):
        found[player].append(channel)
    return found


def _named(action: ActionContext, text: str) -> Channel | None:
    """Return the channel with this address; None for "off"."""
    text = text.strip()
    if on_or_off(text) is False:
        return None
    service = service_at(text).name
    sealer = action.sealer
    return channels.get_or_create(action.session, sealer.marks_of(text), service, sealer.seal(text.encode()))


def _forget(action: ActionContext, number: int | None) -> None:
    """Delete a channel that is no longer used: its address is a secret of its owner."""
    if number is None:
        return
    session = action.session
    channels.hold(session, [number])
    players, seats = (
        select(Player.id).where(Player.channel_id == number),
        select(Seat).where(Seat.channel_id == number),
    )
    if not (session.exec(players.limit(1)).first() or session.exec(seats.limit(1)).first()):
        channels.throw_away(session, [number])


def close(action: ActionContext, channel: Channel) -> list[Player]:
    """Delete a channel that cannot receive notifications; return the players who used it."""
    session, named = action.session, channel.id
    players = list(session.exec(select(Player).where(Player.channel_id == named)))
    for player in players:
        player.channel_id = None
    for seat in session.exec(select(Seat).where(Seat.channel_id == named)).all():
        seat.channel_id = None
        player = session.get_one(Player, seat.player_id)
        players += [player] if player not in players else []
    _forget(action, named)
    return players
