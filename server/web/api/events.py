"""Server-sent events: turns and invitations that wait for the player, finished games, and new messages.

A stream reads from the database at intervals and holds no database connection in between. It has its own
thread, separate from those of the pages (see `server.web.wsgi_bridge`).
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Event as Signal
from typing import Literal

from flask import Response, current_app, request
from pydantic import BaseModel, Field
from sqlalchemy.exc import SQLAlchemyError

from server.accounts.login import api_tokens
from server.game.views.events import KEPT, Event, Events
from server.processes.services import Services
from server.store.db import is_away, reading
from server.web.api.auth import caller
from server.web.api.blueprint import PREFIX, pages
from server.web.api.schemas import ResponseBody
from server.web.shared.streams import EVENTS, RETRY, Streams, event_stream
from server.web.shared.visits import services

EXTENSION = "api_streams"
PATH = f"{PREFIX}/events"
_MICROSECONDS = 1_000_000


class Since(BaseModel):
    """The last event that a client has received."""

    last: str = Field(
        default="",
        alias="Last-Event-ID",
        pattern=r"^[0-9]{0,17}$",
        description="The `id` of the last event that you received: the stream continues after it.",
    )


class EventAnswer(ResponseBody):
    """The `data` of an event."""

    type: Literal["turn", "invited", "over", "said"]
    game: int
    game_type: str
    turn: int | None = Field(default=None, description="For `turn`: the number of the turn.")
    due: datetime | None = Field(
        default=None, description="For `turn`: the deadline of the move; null without one."
    )
    outcome: str | None = Field(default=None, description="For `over`: `won`, `lost`, `drawn` or `abandoned`.")


_DATA = {
    "type": "string",
    "contentMediaType": "application/json",
    "contentSchema": EventAnswer.model_json_schema(),
}
_EVENT = {"type": "object", "required": ["id", "event", "data"], "properties": {"data": _DATA}}
_STREAM = {"description": "A stream of events.", "content": {EVENTS: {"schema": _EVENT}}}


@pages.get("/events", responses={"200": _STREAM})
def events(header: Since) -> Response:
    """Events of the player's games.

    The stream starts with everything that waits for the player, then continues with new turns and invitations,
    finished games, and games with new messages. It ends after five minutes; reconnect with `Last-Event-ID` to
    miss no events.
    """
    streams: Streams = current_app.extensions[EXTENSION]
    (player, token), now = caller(), services().now()
    ended = Signal()
    leave = streams.enter(player, request.remote_addr or "", ended.set)
    listening = _Listening(services(), streams, player, token, ended)
    response = event_stream(listening.tell(Events(player, _since(header.last, now))))
    response.call_on_close(leave)
    return response


@dataclass(frozen=True)
class _Listening:
    """One stream."""

    services: Services
    streams: Streams
    player: int
    token: int
    ended: Signal

    def tell(self, events: Events) -> Iterator[str]:
        """Yield the stream until its time is up, the token is revoked, or a newer stream replaces it."""
        end = time.monotonic() + self.streams.lasts
        told_at = time.monotonic()
        yield f"retry: {RETRY}\n{_at(self.services.now())}\n"
        while True:
            now, found = self.services.now(), self._look(events)
            if found is None:
                return
            yield from (_written(event, now) for event in found)
            if not found and time.monotonic() - told_at >= self.streams.beat:
                yield f": still here\n{_at(now)}\n"
                told_at = time.monotonic()
            if found:
                told_at = time.monotonic()
            if time.monotonic() >= end or self.ended.wait(self.streams.look):
                return

    def _look(self, events: Events) -> list[Event] | None:
        """Return the new events; None if the token has been revoked or the database is away."""
        try:
            with reading(self.services.engine) as session:
                good = api_tokens.holds(session, self.player, self.token)
                return events.new(session) if good else None
        except SQLAlchemyError as error:
            if not is_away(error):
                raise
            return None


def _since(last: str, now: datetime) -> datetime:
    """Return the time from which to report events: that of the last event, at most a day ago, or now."""
    if not last:
        return now
    return max(now - KEPT, min(now, datetime.fromtimestamp(int(last) / _MICROSECONDS, UTC)))


def _written(event: Event, now: datetime) -> str:
    said = EventAnswer(type=event.sort, game=event.game, game_type=event.game_type)
    match event.sort:
        case "turn":
            said.turn, said.due = event.which, event.due
        case "over":
            said.outcome = event.outcome
    data = said.model_dump_json(exclude_unset=True)
    return f"{_at(now)}event: {event.sort}\ndata: {data}\n\n"


def _at(now: datetime) -> str:
    """Return the `id` line, from which a client continues after a reconnect."""
    return f"id: {round(now.timestamp() * _MICROSECONDS)}\n"
