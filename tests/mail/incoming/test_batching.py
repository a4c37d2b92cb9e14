"""Group commit: gathered items are stored together, and one bad item fails alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from mail.incoming import batching
from mail.incoming.batching import Batches, Closed

PATIENCE = 60.0


class Store:
    """A store that keeps its items; strings that begin with "bad" make it raise. `hold` makes it wait."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.calls: list[list[str]] = []
        self.hold = threading.Event()
        self.hold.set()
        self.entered = threading.Event()

    def __call__(self, things: Sequence[str]) -> None:
        self.calls.append(list(things))
        self.entered.set()
        assert self.hold.wait(PATIENCE)
        if any(thing.startswith("bad") for thing in things):
            raise OSError("disk full")
        self.batches.append(list(things))


@contextmanager
def held(store: Store) -> Iterator[Batches[str]]:
    """Yield batches whose thread is busy storing "first"."""
    store.hold.clear()
    batches = Batches(store, lambda thing: thing.startswith("heavy"))
    batches.put("first")
    assert store.entered.wait(PATIENCE)
    try:
        yield batches
    finally:
        store.hold.set()
        batches.close()


def test_waiting_items_are_stored_in_one_call_in_order() -> None:
    store = Store()
    with held(store) as batches:
        futures = [batches.put(str(number)) for number in range(100)]
        assert not any(future.done() for future in futures)
    assert store.batches == [["first"], [str(number) for number in range(100)]]
    assert all(future.result() is None for future in futures)


def test_heavy_items_are_stored_one_at_a_time_after_the_others() -> None:
    store = Store()
    with held(store) as batches:
        for thing in ("heavy 1", "heavy 2", "a", "heavy 3", "b"):
            batches.put(thing)
    assert store.batches == [["first"], ["a", "b"], ["heavy 1"], ["heavy 2"], ["heavy 3"]]


def test_one_bad_item_fails_alone() -> None:
    store = Store()
    with held(store) as batches:
        futures = [batches.put(thing) for thing in ("a", "bad", "b", "bad 2")]
    assert store.batches == [["first"], ["a"], ["b"]]
    assert [future.exception() is None for future in futures] == [True, False, True, False]


def test_item_that_failed_alone_is_not_tried_again() -> None:
    store = Store()
    batches = Batches(store)
    assert isinstance(batches.put("bad").exception(), OSError)
    batches.close()
    assert store.calls == [["bad"]]


def test_no_batch_is_larger_than_allowed() -> None:
    store = Store()
    with held(store) as batches:
        for _ in range(batching.LARGEST + 1):
            batches.put("x")
    assert [len(batch) for batch in store.batches] == [1, batching.LARGEST, 1]


def test_cancelled_items_are_not_stored() -> None:
    store = Store()
    with held(store) as batches:
        assert batches.put("gone").cancel()
        stays = batches.put("stays")
    assert store.batches == [["first"], ["stays"]]
    assert stays.result() is None


def test_closing_stores_earlier_items_and_accepts_no_more() -> None:
    store = Store()
    with held(store) as batches:
        last = batches.put("last")
        closing = threading.Thread(target=batches.close)
        closing.start()
    closing.join()
    assert last.done()
    with pytest.raises(Closed):
        batches.put("too late")
    batches.close()
    assert store.batches == [["first"], ["last"]]
