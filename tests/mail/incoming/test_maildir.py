"""Emails taken from a maildir: which are stored, which are renamed, and concurrent changes by others."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from mail.incoming.batching import NoRoom
from mail.incoming.maildir import Maildir
from mail.incoming.receiving import Received
from tests.support.machine.waiting import await_that

MAIL = b"Return-Path: <ann@example.org>\nDelivered-To: play+k7@games.example\nFrom: ann@example.org\n\nc4\n"


class Store:
    """A store that keeps its emails; a content in `fails`, or `crowded`, makes it raise."""

    def __init__(self) -> None:
        self.mails: list[Received] = []
        self.fails: set[bytes] = set()
        self.crowded = False

    def __call__(self, mails: Sequence[Received]) -> None:
        if any(mail.content in self.fails for mail in mails):
            raise OSError("disk full")
        if self.crowded:
            raise NoRoom("a budget is used up")
        self.mails.extend(mails)


@pytest.fixture
def store() -> Store:
    return Store()


def ours(address: str) -> bool:
    return address.endswith("@games.example")


def watched(folder: Path, store: Store, **settings: object) -> Maildir:
    return Maildir(folder, ours=ours, store=store, **settings)  # type: ignore[arg-type]


def look(maildir: Maildir) -> None:
    """Check the maildir once."""
    stopping = threading.Event()
    stopping.set()
    maildir.watch(stopping)


def deliver(folder: Path, name: str, content: bytes = MAIL) -> Path:
    """Deliver as mail servers do: written elsewhere, then moved in."""
    for part in ("tmp", "new", "cur"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "tmp" / name).write_bytes(content)
    return (folder / "tmp" / name).rename(folder / "new" / name)


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_emails_are_stored_in_order_and_marked_as_read(tmp_path: Path, store: Store) -> None:
    for name in ("1700000002.x", "1700000001.x:2,", "1700000003.x"):
        deliver(tmp_path, name, MAIL + name.encode())
    look(watched(tmp_path, store))
    assert len(store.mails) == 3
    first = store.mails[0]
    assert (str(first.source), first.mail_from) == ("maildir", "ann@example.org")
    assert (first.recipients, first.content) == (("play+k7@games.example",), MAIL + b"1700000001.x:2,")
    assert [mail.content[-12:-2] for mail in store.mails[1:]] == [b"1700000002", b"1700000003"]
    assert names(tmp_path) == [f"cur/170000000{number}.x:2,S" for number in (1, 2, 3)]
    look(watched(tmp_path, store))
    assert len(store.mails) == 3


def test_emails_are_moved_to_another_folder_if_set(tmp_path: Path, store: Store) -> None:
    deliver(tmp_path, "1.x")
    look(watched(tmp_path, store, handled=tmp_path / ".Handled"))
    assert names(tmp_path) == [".Handled/cur/1.x:2,S"]


def test_email_that_cannot_be_stored_stays_in_its_folder(tmp_path: Path, store: Store) -> None:
    for number in range(3):
        deliver(tmp_path, f"{number}.x", MAIL + b"%d" % number)
    store.fails = {MAIL + b"1"}
    maildir = watched(tmp_path, store)
    look(maildir)
    assert len(store.mails) == 2
    assert names(tmp_path) == ["cur/0.x:2,S", "cur/2.x:2,S", "new/1.x"]
    store.fails = set()
    look(maildir)
    assert len(store.mails) == 3


def test_email_without_room_is_not_read_again_for_an_hour(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    deliver(tmp_path, "1.x")
    store.crowded = True
    maildir = watched(tmp_path, store)
    look(maildir)
    deliver(tmp_path, "2.x")
    store.crowded = False
    look(maildir)
    assert names(tmp_path) == ["cur/2.x:2,S", "new/1.x"]
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 3600)
    look(maildir)
    assert len(store.mails) == 2


def test_files_that_are_no_emails_are_ignored(tmp_path: Path, store: Store) -> None:
    deliver(tmp_path, ".hidden")
    (tmp_path / "secret").write_bytes(MAIL)
    (tmp_path / "new" / "link").symlink_to(tmp_path / "secret")
    (tmp_path / "new" / "folder").mkdir()
    (tmp_path / "new" / "gone").symlink_to(tmp_path / "nothing")
    look(watched(tmp_path, store))
    assert not store.mails
    assert names(tmp_path) == ["new/.hidden", "new/link", "secret"]


def test_huge_email_is_cut_off(tmp_path: Path, store: Store) -> None:
    deliver(tmp_path, "1.x", MAIL + b"x" * 1000)
    look(watched(tmp_path, store, max_size=200))
    assert store.mails[0].content == (MAIL + b"x" * 1000)[:200]


def test_more_emails_than_one_batch_are_stored(tmp_path: Path, store: Store) -> None:
    for number in range(250):
        deliver(tmp_path, f"{number}.x")
    look(watched(tmp_path, store))
    assert len(store.mails) == 250


def test_file_that_vanishes_during_storing_does_no_harm(tmp_path: Path) -> None:
    file = deliver(tmp_path, "1.x")
    taken = Maildir(tmp_path, ours=ours, store=lambda mails: file.unlink())
    look(taken)
    assert names(tmp_path) == []


def test_two_processes_share_a_maildir_without_loss(tmp_path: Path) -> None:
    stores = [Store(), Store()]
    maildirs = [watched(tmp_path, store, pause=0.001) for store in stores]
    for maildir in maildirs:
        maildir.start()
    for number in range(300):
        deliver(tmp_path, f"{number:03}.x", MAIL + b"%d" % number)
    await_that(lambda: len(names(tmp_path)) == 300 and not any((tmp_path / "new").iterdir()))
    for maildir in maildirs:
        maildir.stop()
    found = {mail.content for store in stores for mail in store.mails}
    assert found == {MAIL + b"%d" % number for number in range(300)}
    assert names(tmp_path) == [f"cur/{number:03}.x:2,S" for number in range(300)]


def test_watching_takes_emails_until_it_is_stopped(tmp_path: Path, store: Store) -> None:
    maildir = watched(tmp_path, store, pause=0.05)
    maildir.start()
    with pytest.raises(RuntimeError, match="already"):
        maildir.start()
    deliver(tmp_path, "1.x")
    await_that(lambda: store.mails)
    maildir.stop()
    maildir.stop()
    deliver(tmp_path, "2.x")
    time.sleep(0.2)
    assert len(store.mails) == 1
    assert not any("maildir" in thread.name for thread in threading.enumerate())


def test_removed_folder_is_watched_again_when_it_returns(tmp_path: Path, store: Store) -> None:
    folder, aside = tmp_path / "box", tmp_path / "aside"
    maildir = watched(folder, store, pause=0.05)
    folder.rename(aside)
    with pytest.raises(FileNotFoundError):
        look(maildir)
    maildir.start()
    time.sleep(0.2)
    aside.rename(folder)
    deliver(folder, "1.x")
    await_that(lambda: store.mails)
    maildir.stop()
