"""The event streams of open pages: one for each browser, with the versions of the pages that it shows.

One thread looks for changes after each commit: it asks which pages may have changed, for all streams together,
and then for the versions of these as their readers see them. So a stream reveals no more than a poll. The
streams themselves are sent by the event loop of the server, without a thread for each.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import suppress
from typing import Any

from sqlalchemy import Engine
from sqlmodel import Session

from server.game.views.versions import Subject, counter_sums, page_version
from server.limits import MOST_PAGE_STREAMS, MOST_PAGE_STREAMS_EACH, MOST_PAGE_STREAMS_OF_NETWORK
from server.processes.triggers import TaskRunner
from server.store.db import reading
from server.web.shared.streams import RETRY, Streams

EXTENSION = "page_streams"
_POLL = 1.0
"""Seconds between two checks for changes without notifications of commits."""
_REST = 0.1
"""The least seconds between two checks."""
_SHARE = 4
"""A check is followed by a pause this many times as long as its processor time."""


class PageStream:
    """The stream of one browser; `pages` maps the URLs that identify its pages to their subjects."""

    def __init__(
        self, streams: PageStreams, pages: Mapping[str, Subject], reader: int | None, login: int | None
    ) -> None:
        self.pages, self.reader, self.login = pages, reader, login
        self.versions: dict[str, str] = {}
        """The tags of the versions that were sent."""
        self._streams = streams
        self._changes: dict[str, dict[str, str]] = {}
        """The changes that are to be sent, by page."""
        self._lock = threading.Lock()
        self._is_ended = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news = asyncio.Event()

    @property
    def subjects(self) -> set[Subject]:
        """The subjects on which the versions of the pages depend; all contain the reader's waiting games."""
        own: set[Subject] = set() if self.reader is None else {("player", self.reader)}
        return {*self.pages.values(), *own}

    def compare(self, session: Session, changed: Collection[Subject]) -> None:
        """Send new versions of the pages with changed subjects, and of those that have not been sent."""
        is_other = self.reader is not None and ("player", self.reader) in changed
        for page, subject in self.pages.items():
            if not is_other and subject not in changed and page in self.versions:
                continue
            version = page_version(session, subject, self.reader, self.login)
            if version is None:
                self.versions.setdefault(page, "")
                continue
            if self.reader is not None and not version.is_reader:
                self.end()  # the login has ended: the browser reconnects as a visitor
                return
            if self.versions.get(page) != version.tag:
                self.versions[page] = version.tag
                self._put(page, {"version": version.text, "waiting": str(version.waiting)})

    def end(self) -> None:
        """End the stream."""
        self._is_ended = True
        self._wake()

    def close(self) -> None:
        """Unregister the stream."""
        self._streams.close(self)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the stream."""
        self._loop = asyncio.get_running_loop()
        ends = self._loop.time() + self._streams.lasts
        yield f"retry: {RETRY}\n\n".encode()
        while not self._is_ended and self._loop.time() < ends:
            with self._lock:
                changes, self._changes = self._changes, {}
            self._news.clear()
            for page, change in changes.items():
                yield f"data: {json.dumps({'page': page, **change})}\n\n".encode()
            if changes:
                continue
            try:
                async with asyncio.timeout(self._streams.beat):
                    await self._news.wait()
            except TimeoutError:
                yield b": still here\n\n"

    def _put(self, page: str, change: dict[str, str]) -> None:
        with self._lock:
            self._changes[page] = change
        self._wake()

    def _wake(self) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the server has stopped
                self._loop.call_soon_threadsafe(self._news.set)


class PageStreams(Streams):
    """All streams of open pages of this process."""

    def __init__(self, engine: Engine, *, lasts: float = 600, beat: float = 15) -> None:
        super().__init__(
            most=MOST_PAGE_STREAMS,
            each=MOST_PAGE_STREAMS_EACH,
            of_network=MOST_PAGE_STREAMS_OF_NETWORK,
            lasts=lasts,
            beat=beat,
        )
        self._engine = engine
        self._places: dict[PageStream, Any] = {}
        self._sums: dict[Subject, tuple[Any, ...]] = {}
        self._starting = threading.Lock()
        self._runner: TaskRunner | None = None

    def open(
        self, pages: Mapping[str, Subject], reader: int | None, login: int | None, peer: str
    ) -> PageStream:
        """Return a new stream. Raises ServiceUnavailable if there are too many."""
        stream = PageStream(self, pages, reader, login)
        self._places[stream] = self.enter(stream if reader is None else reader, peer, stream.end)
        with self._starting:
            if self._runner is None and not self._is_stopped:
                self._runner = TaskRunner(self._engine)
                self._runner.add("streams", _POLL, self.look_for_changes, rest=_REST)
                self._runner.start()
            if self._runner is not None:
                self._runner.trigger()
        return stream

    def close(self, stream: PageStream) -> None:
        """Unregister a stream."""
        self._places.pop(stream)()

    def stop(self) -> None:
        """End all streams, and admit no more."""
        super().stop()
        with self._starting:
            if self._runner is not None:
                self._runner.stop()

    def look_for_changes(self) -> None:
        """Send all changes since the last check."""
        streams = list(self._places)
        if not streams:
            return
        began = time.thread_time()
        subjects = set().union(*(stream.subjects for stream in streams))
        with reading(self._engine) as session:
            sums = counter_sums(session, subjects)
            changed = {subject for subject in subjects if sums.get(subject) != self._sums.get(subject)}
            for stream in streams:
                stream.compare(session, changed)
        self._sums = sums
        time.sleep(_SHARE * (time.thread_time() - began))
