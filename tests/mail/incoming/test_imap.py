"""Emails fetched from a real Dovecot: which are stored, which are moved, and the handling of failures."""

from __future__ import annotations

import imaplib
import smtplib
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

import pytest
from imapclient import IMAPClient

from mail.incoming.imap import Mailbox
from mail.incoming.imap_session import MailboxFailed, Session, read_account
from mail.incoming.receiving import Received
from tests.support.machine.mail_servers import PASSWORD, Dovecot
from tests.support.machine.ports import free_port
from tests.support.machine.waiting import await_that
from tests.support.mail.keys import self_signed

MAIL = b"From: Ann <ann@example.org>\r\nTo: play+k7@games.example\r\nSubject: move\r\n\r\nc4\r\n"
NEVER = 3600.0  # seconds of a pause that no test survives
OLD = "imap_capability = IMAP4rev1"  # a server that can neither idle nor move nor remove single emails


def ours(address: str) -> bool:
    return address.startswith("play") and address.endswith("@games.example")


class Store:
    """A store that keeps its emails; a content in `fails` makes it raise."""

    def __init__(self) -> None:
        self.mails: list[Received] = []
        self.fails: set[bytes] = set()

    def __call__(self, mails: Sequence[Received]) -> None:
        if any(each in mail.content for mail in mails for each in self.fails):
            raise OSError("disk full")
        self.mails.extend(mails)

    @property
    def texts(self) -> list[bytes]:
        return [mail.content.partition(b"\r\n\r\n")[2] for mail in self.mails]


class Account:
    """A user of the Dovecot, with an empty mailbox."""

    def __init__(self, dovecot: Dovecot) -> None:
        self.user = f"user{uuid4().hex[:8]}"
        self.store = Store()
        self._dovecot = dovecot

    def fetching(self, folders: str = "", **settings: object) -> Mailbox:
        """Return a Mailbox that fetches from this path of folders."""
        place = f"{self.user}:{quote(PASSWORD)}@127.0.0.1:{self._dovecot.ports.imap}{folders}"
        given = {"url": f"imap://{place}", "ours": ours, "store": self.store}
        return Mailbox(**{**given, **settings})  # type: ignore[arg-type]

    def collect(self, mailbox: Mailbox) -> int:
        """Check the mailbox once, and return the number of emails stored."""
        stopping, before = threading.Event(), len(self.store.mails)
        stopping.set()
        mailbox.watch(stopping)
        return len(self.store.mails) - before

    def deliver(self, *texts: bytes, tag: str = "") -> None:
        """Deliver emails to it, as a mail server does."""
        with smtplib.LMTP("127.0.0.1", self._dovecot.ports.lmtp) as server:
            for text in texts:
                content = MAIL.replace(b"c4\r\n", text)
                server.sendmail("ann@example.org", [f"{self.user}{tag}@box.example"], content)

    @contextmanager
    def looking(self, folder: str = "INBOX") -> Iterator[imaplib.IMAP4]:
        """Yield an email program that has opened a folder."""
        with imaplib.IMAP4("127.0.0.1", self._dovecot.ports.imap) as client:
            client.login(self.user, PASSWORD)
            client.select(folder)
            yield client

    def texts(self, folder: str) -> list[bytes]:
        """Return the texts of the emails in a folder."""
        with self.looking(folder) as client:
            numbers = client.search(None, "ALL")[1][0].split()
            fetched = [client.fetch(number.decode(), "(BODY.PEEK[TEXT])")[1][0] for number in numbers]
        return [part[1] for part in fetched if isinstance(part, tuple)]


@pytest.fixture
def account(dovecot: Dovecot) -> Account:
    dovecot.restart()
    return Account(dovecot)


@pytest.fixture
def old_account(dovecot: Dovecot) -> Account:
    """Return an account on a server with few capabilities."""
    dovecot.restart(OLD)
    return Account(dovecot)


def test_emails_are_stored_unchanged_and_moved(account: Account, dovecot: Dovecot) -> None:
    account.deliver(b"c4\r\n", b"c5\r\n")
    files = (dovecot.mailbox(account.user) / "new").iterdir()
    lying = sorted(path.read_bytes().replace(b"\n", b"\r\n") for path in files)
    assert account.collect(account.fetching()) == 2
    assert sorted(mail.content for mail in account.store.mails) == lying
    assert [(mail.source, mail.mail_from, mail.recipients) for mail in account.store.mails] == [
        ("imap", "ann@example.org", ("play+k7@games.example",))
    ] * 2
    assert account.texts("INBOX") == []
    assert account.texts("Nabu.Handled") == [b"c4\r\n", b"c5\r\n"]
    assert account.collect(account.fetching()) == 0


def test_emails_stay_unread(account: Account) -> None:
    account.deliver(b"c4\r\n")
    account.collect(account.fetching(handled="Done"))
    with account.looking("Done") as client:
        assert client.search(None, "UNSEEN")[1] == [b"1"]


@pytest.mark.parametrize(
    ("path", "folders"),
    [
        ("", ("INBOX",)),
        ("/", ("INBOX",)),
        ("/INBOX", ("INBOX",)),
        ("/INBOX,Lists/Nabu, Junk%20mail", ("INBOX", "Lists/Nabu", "Junk mail")),
    ],
)
def test_url_names_the_folders(path: str, folders: tuple[str, ...]) -> None:
    place = read_account(f"imaps://ann%40example.org:p%2Fw@mail.example.org{path}")
    assert (place.server.user, place.server.password, place.folders) == ("ann@example.org", "p/w", folders)


def test_recipient_is_read_from_the_delivery_fields(account: Account) -> None:
    account.deliver(b"c4\r\n", tag="+b8")
    account.collect(account.fetching(ours=lambda address: address.endswith("@box.example")))
    assert account.store.mails[0].recipients == (f"{account.user}+b8@box.example",)


def test_email_that_cannot_be_stored_stays_in_its_folder(account: Account) -> None:
    account.deliver(b"c4\r\n", b"bad\r\n", b"c5\r\n")
    account.store.fails = {b"bad"}
    mailbox = account.fetching()
    assert account.collect(mailbox) == 2
    assert account.texts("INBOX") == [b"bad\r\n"]
    account.store.fails = set()
    assert account.collect(mailbox) == 1
    assert account.store.texts == account.texts("Nabu.Handled") == [b"c4\r\n", b"c5\r\n", b"bad\r\n"]


def test_nothing_is_moved_when_nothing_can_be_stored(account: Account) -> None:
    account.deliver(b"c4\r\n", b"c5\r\n")
    account.store.fails = {b""}
    assert account.collect(account.fetching()) == 0
    assert account.texts("INBOX") == [b"c4\r\n", b"c5\r\n"]


def in_the_way(account: Account, dovecot: Dovecot) -> Path:
    """Put a file at the path of the folder for handled emails, and return it."""
    account.deliver(b"c4\r\n")
    file = dovecot.mailbox(account.user) / ".Nabu.Handled"
    file.touch()
    return file


def test_stored_email_is_moved_later_if_moving_failed(account: Account, dovecot: Dovecot) -> None:
    file = in_the_way(account, dovecot)
    mailbox = account.fetching()
    for _ in range(2):
        with pytest.raises(MailboxFailed):
            account.collect(mailbox)
        assert (account.store.texts, account.texts("INBOX")) == ([b"c4\r\n"], [b"c4\r\n"])
    file.unlink()
    assert account.collect(mailbox) == 0
    assert (account.texts("INBOX"), account.texts("Nabu.Handled")) == ([], [b"c4\r\n"])
    assert account.store.texts == [b"c4\r\n"]


def test_all_emails_are_checked_after_a_folder_is_renumbered(account: Account, dovecot: Dovecot) -> None:
    file = in_the_way(account, dovecot)
    mailbox = account.fetching()
    with pytest.raises(MailboxFailed):
        account.collect(mailbox)
    folder = dovecot.mailbox(account.user)
    for path in [file, *folder.glob("dovecot*"), *folder.glob("cur/*"), *folder.glob("new/*")]:
        path.unlink()
    time.sleep(1.1)  # the UIDVALIDITY is the time in seconds
    account.deliver(b"c5\r\n")
    with account.looking() as client:
        assert client.fetch("1", "UID")[1] == [b"1 (UID 1)"]
    assert account.collect(mailbox) == 1
    assert account.store.texts == [b"c4\r\n", b"c5\r\n"]


def test_several_folders_are_checked(account: Account) -> None:
    account.deliver(b"c4\r\n")
    with account.looking() as client:
        client.create("Junk")
        client.append("Junk", "", imaplib.Time2Internaldate(time.time()), MAIL.replace(b"c4", b"c5"))
    assert account.collect(account.fetching("/INBOX,Junk")) == 2
    assert sorted(account.texts("Nabu.Handled")) == [b"c4\r\n", b"c5\r\n"]


def test_missing_folder_is_reported(account: Account) -> None:
    with pytest.raises(MailboxFailed, match="doesn't exist"):
        account.collect(account.fetching("/Nothing"))


def test_huge_email_is_cut_off(account: Account) -> None:
    account.deliver(b"c4\r\n" + b"x" * 900 + b"\r\n")
    account.collect(account.fetching(max_size=600))
    assert len(account.store.mails[0].content) == 600
    assert account.store.texts[0].startswith(b"c4\r\nxxx")


def arrived(account: Account, count: int) -> bool:
    return len(account.store.mails) == count


@contextmanager
def fetched(mailbox: Mailbox) -> Iterator[None]:
    mailbox.start()
    try:
        yield
    finally:
        mailbox.stop()


def test_new_email_is_fetched_immediately_with_idle(account: Account) -> None:
    with fetched(account.fetching(pause=NEVER)):
        for number in range(3):
            account.deliver(b"c%d\r\n" % number)
            await_that(partial(arrived, account, number + 1))
    await_that(lambda: len(account.texts("Nabu.Handled")) == 3)


def test_email_that_arrives_during_storing_is_fetched_immediately(account: Account) -> None:
    def store(mails: Sequence[Received]) -> None:
        if not account.store.mails:
            account.deliver(b"c5\r\n")
        account.store(mails)

    account.deliver(b"c4\r\n")
    with fetched(account.fetching(store=store, pause=NEVER)):
        await_that(lambda: arrived(account, 2))


def test_email_that_arrives_just_before_idle_is_fetched_immediately(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = IMAPClient.idle

    def idle(client: IMAPClient) -> None:
        if not account.store.mails:
            account.deliver(b"c4\r\n")
        begin(client)

    monkeypatch.setattr(IMAPClient, "idle", idle)
    with fetched(account.fetching(pause=NEVER)):
        await_that(lambda: arrived(account, 1))


# Servers with other settings, grouped, as each change restarts Dovecot.


def test_simple_server_is_enough_and_other_emails_stay(old_account: Account) -> None:
    account = old_account
    account.deliver(b"mine\r\n")
    with account.looking() as client:
        client.store("1", "+FLAGS", r"(\Deleted)")
    account.deliver(b"c4\r\n")
    assert account.collect(account.fetching()) == 1
    assert account.texts("Nabu.Handled") == [b"c4\r\n"]
    assert b"mine\r\n" in account.texts("INBOX")
    assert account.collect(account.fetching()) == 0


def test_new_email_is_fetched_after_a_pause_without_idle(old_account: Account) -> None:
    with fetched(old_account.fetching(pause=0.3)):
        for number in range(2):
            old_account.deliver(b"c%d\r\n" % number)
            await_that(partial(arrived, old_account, number + 1))


@pytest.mark.parametrize("more", [OLD, ""], ids=["pausing", "idling"])
def test_stopping_does_not_wait_for_emails(dovecot: Dovecot, more: str) -> None:
    dovecot.restart(more)
    account = Account(dovecot)
    mailbox = account.fetching(pause=NEVER)
    for _ in range(2):
        account.deliver(b"c4\r\n")
        with fetched(mailbox):
            with pytest.raises(RuntimeError, match="already"):
                mailbox.start()
            await_that(lambda: account.store.mails)
        account.store.mails.clear()
    mailbox.stop()


def test_lost_connection_is_opened_again(account: Account, dovecot: Dovecot) -> None:
    with fetched(account.fetching(pause=NEVER)):
        account.deliver(b"c4\r\n")
        await_that(lambda: len(account.store.mails) == 1)
        dovecot.stop()
        time.sleep(0.5)
        dovecot.restart()
        account.deliver(b"c5\r\n")
        await_that(lambda: len(account.store.mails) == 2)


@pytest.mark.parametrize("is_lost", [False, True], ids=["open", "lost"])
def test_socket_is_closed_with_the_session(account: Account, dovecot: Dovecot, is_lost: bool) -> None:
    server = read_account(f"imap://{account.user}:{quote(PASSWORD)}@127.0.0.1:{dovecot.ports.imap}").server
    session = Session(server, timeout=30, tls=None)
    connection = session._client.socket()
    if is_lost:
        session.abort()
    session.close()
    assert connection.fileno() == -1


def test_wrong_password_is_reported_but_not_shown(account: Account, dovecot: Dovecot) -> None:
    url = f"imap://{account.user}:hush@127.0.0.1:{dovecot.ports.imap}"
    for other in (url, url.replace("hush", quote("pä ß"))):
        with pytest.raises(MailboxFailed, match="AUTHENTICATIONFAILED") as failure:
            account.collect(account.fetching(url=other))
        assert "hush" not in str(failure.value)


def test_unreachable_server_is_reported() -> None:
    with pytest.raises(MailboxFailed, match="refused"):
        Mailbox("imap://a:b@127.0.0.1:1", ours=ours, store=print).watch(threading.Event())


@pytest.mark.parametrize(
    "url",
    [
        "imap://a:hush@mail.example.org", "imaps://mail.example.org", "imaps://a@mail.example.org", "http://a:hush@b",
        "imaps://a:hush@b:port", "imaps://a:hush@b/INBOX#1", "imaps://a:hush@b?x", "imaps://a:hush@", "",
    ],
)  # fmt: skip
def test_wrong_url_is_reported_but_not_shown(url: str) -> None:
    with pytest.raises(
        ValueError, match=r"must (be imaps://USER:PASSWORD@HOST:PORT/FOLDER|begin with imaps://)"
    ) as error:
        Mailbox(url, ours=ours, store=print)
    assert "hush" not in str(error.value)


def test_server_that_can_remove_single_emails_removes_only_these(dovecot: Dovecot) -> None:
    dovecot.restart("imap_capability = IMAP4rev1 UIDPLUS NAMESPACE")
    account = Account(dovecot)
    account.deliver(b"mine\r\n")
    with account.looking() as client:
        client.store("1", "+FLAGS", r"(\Deleted)")
    account.deliver(b"c4\r\n")
    assert account.collect(account.fetching()) == 1
    assert (account.texts("INBOX"), account.texts("Nabu.Handled")) == ([b"mine\r\n"], [b"c4\r\n"])


@pytest.mark.parametrize("scheme", ["imaps", "imap+starttls"])
def test_server_certificate_is_checked(dovecot: Dovecot, tmp_path: Path, scheme: str) -> None:
    certificate, key = self_signed(tmp_path, "127.0.0.1")
    port = free_port()
    dovecot.restart(
        f"ssl = yes\nssl_cert = <{certificate}\nssl_key = <{key}\n"
        f"service imap-login {{\n inet_listener imaps {{\n port = {port}\n ssl = yes\n }}\n}}"
    )
    account = Account(dovecot)
    account.deliver(b"c4\r\n")
    there = port if scheme == "imaps" else dovecot.ports.imap
    url = f"{scheme}://{account.user}:{PASSWORD}@127.0.0.1:{there}"
    with pytest.raises(MailboxFailed, match="CERTIFICATE_VERIFY_FAILED"):
        account.collect(account.fetching(url=url))
    trusting = ssl.create_default_context(cafile=certificate)
    with fetched(account.fetching(url=url, tls=trusting, pause=NEVER)):
        account.deliver(b"c5\r\n")
        await_that(lambda: len(account.store.mails) == 2)
