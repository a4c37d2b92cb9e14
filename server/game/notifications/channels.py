"""Where players are told that it is their turn, besides by mail: channels of other services, and browsers."""

import re
from collections import defaultdict
from collections.abc import Sequence
from urllib.parse import urlsplit

from sqlmodel import select

from server.errors import BadRequest
from server.game.log.log import Seated
from server.store import channels, prepared_statements
from server.store.db import inserting
from server.store.models import Channel, Game, Notice, Player, Seat
from server.store.outbox import ActionContext


def choose(action: ActionContext, whose: Player | Seat, text: str) -> str:
    """Tell the turns of all games of a player in a channel, too, or with "off" in none. Raises BadRequest.

    For a seat it is the same about its game alone, in place of the channel for all.
    """
    channel = _named(action, text)
    before, whose.channel_id = whose.channel_id, None if channel is None else channel.id
    _forget(action, before)
    of_game = isinstance(whose, Seat)
    if channel is not None:
        return f"When it is your turn{' in this game' if of_game else ''}, {channel.service} will notify you."
    if of_game:
        return "This game has no channel of its own any more."
    return "You will no longer be notified in any channel."


def in_words(action: ActionContext, whose: Player | Seat) -> str:
    """Where a player's turns are told, or those in one game."""
    channel = action.session.get(Channel, whose.channel_id) if whose.channel_id is not None else None
    if channel is not None:
        return f"Now: {channel.service}."
    return "Now: as in your settings." if isinstance(whose, Seat) else "Now: off."


def call(action: ActionContext, game: Game, seated: Sequence[Seated]) -> None:
    """Have everybody whose turn begins told in the channel that they named, and in their browsers.

    All who named the same channel are told there once.
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
    """The channels of the browsers of these players."""
    found: dict[int | None, list[int]] = defaultdict(list)
    for player, channel in prepared_statements.BROWSERS(
        action.session, players=[player.id for player in people]
    ):
        found[player].append(channel)
    return found


def _named(action: ActionContext, text: str) -> Channel | None:
    """The channel at the address that was written; None for "off"."""
    text = text.strip()
    if text.casefold().strip(" .!") == "off":
        return None
    service = service_at(text)
    sealer = action.sealer
    return channels.get_or_create(action.session, sealer.marks_of(text), service, sealer.seal(text.encode()))


def _forget(action: ActionContext, number: int | None) -> None:
    """Throw a channel away that nobody names any more: its address is a secret of whoever has it."""
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
    """Throw a channel away in which nothing can be told; returns who has named it."""
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


# Nothing after a "?": there stand options, and some of them name files, or servers beyond the host.
# No comma: it may separate several addresses.
_FORMS = {
    "Discord": (
        r"https://(discord|discordapp)\.com/api/webhooks/[0-9]+/[\w-]+/?",
        r"discord://([\w-]+@)?[0-9]+/[\w-]+/?",
    ),
    "Slack": (
        r"https://hooks\.slack\.com/services(/[A-Za-z0-9]+){3}/?",
        r"slack://([\w-]+@)?[A-Za-z0-9]+(/[A-Za-z0-9]+){2}(/[+#@]?[\w-]{1,32})*/?",
        r"slack://([\w-]+@)?xox[abp]-[A-Za-z0-9-]+(/[+#@]?[\w-]{1,32})+/?",
    ),
    "Matrix": (r"matrixs?://([^\s/?,]+@)?[\w.:\[\]-]+(/([#!]|%23|%21)?[\w.:=%-]+)+/?",),
    "Telegram": (r"tgram://(bot)?[0-9]+:[\w-]+/(-?[0-9]{1,32}|@?[A-Za-z_-][\w-]+)(:[0-9]+)?/?",),
    "ntfy": (
        r"https://ntfy\.sh/[\w-]{1,64}/?",
        r"ntfys?://([^\s/?,]+@)?[\w.:\[\]-]+/[\w-]{1,64}/?",
        r"ntfys?://[\w-]{1,64}/?",
    ),
}
"""By service, what is taken: one channel, room or topic of it."""
_BEGINNINGS = {
    "https://discord": "Discord",
    "discord:": "Discord",
    "https://hooks.slack": "Slack",
    "slack:": "Slack",
    "matrix:": "Matrix",
    "matrixs:": "Matrix",
    "tgram:": "Telegram",
    "https://ntfy": "ntfy",
    "ntfy:": "ntfy",
    "ntfys:": "ntfy",
}
"""Which service somebody means, by how what they wrote begins."""
_EXAMPLES = {
    "Discord": "https://discord.com/api/webhooks/ID/TOKEN (in Discord: Edit Channel, Integrations, Webhooks)",
    "Slack": "https://hooks.slack.com/services/T…/B…/… (in Slack: Incoming Webhooks)",
    "Matrix": "matrixs://USER:PASSWORD@HOST/#ROOM",
    "Telegram": "tgram://BOT_TOKEN/CHAT",
    "ntfy": "https://ntfy.sh/TOPIC, or for another server ntfys://HOST/TOPIC",
}
_PORTS = {"ntfy": (80, 443), "Matrix": (80, 443, 8448)}
"""Where players write the host: at these ports such a service is expected, and nothing else of anybody's."""
PORTS = frozenset(port for ports in _PORTS.values() for port in ports)
"""All ports at which services are reached."""
_LONGEST = 500
_HOW = (
    "Write the address of a Discord or Slack webhook, of a topic of ntfy.sh, or another one as Apprise "
    "writes it: discord://…, slack://…, matrixs://…, tgram://…, ntfys://…, without a “?” and anything after "
    "it; or: off."
)


def service_at(address: str) -> str:
    """What the service at an address is called. Raises BadRequest, which says what an address looks like."""
    if len(address) <= _LONGEST:
        for service, forms in _FORMS.items():
            if any(re.fullmatch(form, address, re.ASCII) for form in forms):
                _check_port(service, address)
                return service
    meant = (service for beginning, service in _BEGINNINGS.items() if address.startswith(beginning))
    service = next(meant, "")
    if not service:
        raise BadRequest(_HOW)
    raise BadRequest(
        f"Nothing can be sent to that address. One of {service} looks like this: {_EXAMPLES[service]}. "
        "Leave out any “?” and what follows it."
    )


def _check_port(service: str, address: str) -> None:
    """Raise BadRequest for a port at which the service is not expected."""
    allowed = _PORTS.get(service)
    if allowed is None:
        return
    try:
        port = urlsplit(address).port
    except ValueError:
        port = 0
    if port is not None and port not in allowed:
        *others, last = allowed
        ports = f"{', '.join(map(str, others))} or {last}"
        raise BadRequest(
            f"Nabu notifies {service} at port {ports} only. Leave the port out, or use one of these."
        )
