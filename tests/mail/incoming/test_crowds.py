"""Peers that want more than their share of the listener, over real sockets: others get in nevertheless."""

from __future__ import annotations

import random
import smtplib
import socket
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace

import pytest

from mail.incoming.peers import ConnectionPool, Quota, network_of
from mail.incoming.receiving import LIMITS, Listener, Protocol
from mail.incoming.sessions import HEAVY, Limits
from tests.support.machine.waiting import await_that
from tests.support.mail.inbox import MAIL, PATIENCE, Box, only_ours

ANN, BEN, CAT, OURS = "127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.9"
ROOM = Quota(most=6, ours=2, each=2)
MEGABYTE = 1_000_000


class Talk:
    """A raw connection of a peer."""

    def __init__(self, listener: Listener, peer: str) -> None:
        self._connection = socket.create_connection(listener.address, PATIENCE, (peer, 0))
        self._replies = self._connection.makefile("rb")

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *_: object) -> None:
        self._replies.close()
        self._connection.close()

    def send(self, data: bytes) -> None:
        self._connection.sendall(data)

    def send_without_reading(self, data: bytes) -> None:
        """Send this again and again, until nothing is accepted for a second or the connection is closed."""
        self._connection.settimeout(1)
        with suppress(OSError):
            while True:
                self._connection.send(data)

    def __call__(self, data: bytes) -> bytes:
        """Send some bytes, possibly none, and return one line of the answer; b"" after the end."""
        self.send(data)
        return self._replies.readline()


@contextmanager
def listening(
    box: Box, limits: Limits = LIMITS, *, protocol: Protocol = "smtp", idle: float = PATIENCE
) -> Iterator[Listener]:
    listener = Listener(
        "127.0.0.1", 0, protocol=protocol, hostname="games.example", accepts=only_ours, store=box.store,
        own=lambda peer: peer == OURS, max_size=MEGABYTE, idle=idle, limits=limits,
    )  # fmt: skip
    listener.start()
    try:
        yield listener
    finally:
        listener.stop()


def greeting(listener: Listener, peer: str) -> bytes:
    with Talk(listener, peer) as say:
        return say(b"")


def begin(say: Talk) -> None:
    """Send all commands up to the text of an email."""
    for line in (b"", b"HELO a\r\n", b"MAIL FROM:<a@b.org>\r\n", b"RCPT TO:<play@d.org>\r\n"):
        assert say(line).startswith(b"2")
    assert say(b"DATA\r\n").startswith(b"354")


def code(listener: Listener, peer: str, content: bytes = MAIL) -> int:
    """Return the reply code to a complete session with an email; 421 also if the listener disconnects."""
    try:
        with smtplib.SMTP(*listener.address, timeout=PATIENCE, source_address=(peer, 0)) as client:
            client.sendmail("a@b.org", ["play@d.org"], content)
    except smtplib.SMTPResponseException as refusal:
        return refusal.smtp_code
    except smtplib.SMTPServerDisconnected:
        return 421
    return 250


def answered(say: Talk) -> bool:
    """Return whether the session is still open."""
    try:
        return say(b"NOOP\r\n").startswith(b"250")
    except ConnectionError:
        return False


@pytest.mark.parametrize(
    ("peer", "place"),
    [
        ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("", ""), ("x", "x"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("::1", "::/64"), ("fe80::1%eth0", "fe80::/64"),
    ],
)  # fmt: skip
def test_network_of_joins_the_addresses_of_one_customer(peer: str, place: str) -> None:
    assert network_of(peer) == place


def test_pool_counts_by_network_and_forgets_unused_ones() -> None:
    crowd = ConnectionPool(Quota(most=10, ours=3, each=5))
    assert crowd.take("a", 5, own=False)
    assert not crowd.take("a", 1, own=False)
    assert not crowd.take("b", 3, own=False)
    assert crowd.take("b", 2, own=False)
    assert crowd.take("c", 3, own=True)
    assert not crowd.take("c", 1, own=True)
    for place, amount in (("a", 5), ("b", 2), ("c", 3)):
        crowd.give_back(place, amount)
    assert crowd.total == 0
    assert vars(crowd)["_had"] == {}


def test_one_peer_opens_a_limited_number_of_connections_a_second() -> None:
    with listening(Box(), replace(LIMITS, opened=2, opened_a_second=0.001)) as listener:
        for _ in range(2):
            assert greeting(listener, ANN).startswith(b"220")
        assert greeting(listener, ANN).startswith(b"421 4.3.2")
        for peer in (BEN, OURS, OURS, OURS):
            assert greeting(listener, peer).startswith(b"220")


@pytest.mark.parametrize("peer", [ANN, OURS])
def test_heavy_emails_are_read_slowly_after_the_others(peer: str) -> None:
    limits = replace(LIMITS, heavy=1, heavy_a_second=1)
    box = Box()
    with listening(box, limits) as listener, ExitStack() as heavy:
        for _ in range(3):
            say = heavy.enter_context(Talk(listener, peer))
            begin(say)
            say.send(2 * HEAVY * b"x")
        await_that(lambda: listener.unfinished > 3 * HEAVY)
        assert code(listener, BEN) == 250
        assert listener.unfinished < 3 * HEAVY + 4 * 65_536
    assert len(box.mails) == 1


def test_connections_are_limited_by_peer_and_some_are_reserved() -> None:
    limits = replace(LIMITS, connections=ROOM)
    with listening(Box(), limits) as listener, ExitStack() as open_ones:
        for peer in (ANN, ANN, BEN, BEN):
            assert open_ones.enter_context(Talk(listener, peer))(b"").startswith(b"220")
        assert greeting(listener, ANN).startswith(b"421 4.3.2")
        assert greeting(listener, CAT).startswith(b"421 4.3.2")
        for _ in range(ROOM.ours):
            assert open_ones.enter_context(Talk(listener, OURS))(b"").startswith(b"220")
        assert greeting(listener, OURS).startswith(b"421 4.3.2")


def test_peer_can_connect_again_when_its_connection_is_closed() -> None:
    limits = replace(LIMITS, connections=Quota(most=3, ours=0, each=1))
    with listening(Box(), limits) as listener:
        for _ in range(5):
            with Talk(listener, ANN) as say:
                assert say(b"").startswith(b"220")
                assert greeting(listener, ANN).startswith(b"421")
                assert say(b"QUIT\r\n").startswith(b"221")
                assert say(b"") == b""
        assert code(listener, ANN) == 250


def test_all_lmtp_clients_are_trusted() -> None:
    limits = replace(LIMITS, connections=ROOM)
    with listening(Box(), limits, protocol="lmtp") as listener, ExitStack() as open_ones:
        for _ in range(ROOM.most):
            assert open_ones.enter_context(Talk(listener, ANN))(b"").startswith(b"220")
        assert greeting(listener, ANN).startswith(b"421")


def test_unfinished_emails_use_no_more_than_their_share() -> None:
    box = Box()
    limits = replace(LIMITS, unfinished=Quota(most=500_000, ours=100_000, each=200_000))
    half, whole = MAIL + b"x" * 190_000, MAIL + b"y" * 100_000 + b"\r\n"
    with listening(box, limits) as listener, Talk(listener, ANN) as ann:
        begin(ann)
        ann.send(half)
        with Talk(listener, CAT) as cat:
            begin(cat)
            cat.send(half)
            # The last piece of each is not counted before more arrives, or its end.
            await_that(lambda: listener.unfinished > 2 * (len(half) - 20_000))
            assert [code(listener, peer, whole) for peer in (ANN, CAT, BEN)] == [452] * 3
            assert code(listener, BEN) == 250
            assert code(listener, OURS, whole) == 250
        await_that(lambda: listener.unfinished < 200_000)
        assert code(listener, BEN, whole) == 250
        assert ann(b"\r\n.\r\n").startswith(b"250")
        assert code(listener, ANN, whole) == 250
    assert box.mails[-2].content == half + b"\r\n"


def test_email_refused_for_lack_of_room_uses_none() -> None:
    limits = replace(LIMITS, unfinished=Quota(most=200_000, ours=0, each=200_000))
    large = MAIL + b"x" * 300_000 + b"\r\n"
    with listening(Box(), limits) as listener, Talk(listener, ANN) as say:
        begin(say)
        assert say(large + b".\r\n").startswith(b"452 4.3.1")
        assert say(b"MAIL FROM:<a@b.org>\r\n").startswith(b"250")
        assert [code(listener, ANN, large), code(listener, BEN, large)] == [452, 452]
        assert code(listener, ANN, MAIL + b"x" * 150_000 + b"\r\n") == 250


def test_email_waiting_to_be_stored_still_uses_room() -> None:
    box = Box()
    box.gate.clear()
    limits = replace(LIMITS, unfinished=Quota(most=200_000, ours=0, each=200_000))
    large = MAIL + b"x" * 150_000 + b"\r\n"
    with listening(box, limits) as listener, ThreadPoolExecutor(1) as pool:
        first = pool.submit(code, listener, ANN, large)
        assert box.entered.acquire(timeout=PATIENCE)
        assert code(listener, ANN, large) == 452
        box.gate.set()
        assert first.result() == 250
        assert code(listener, ANN, large) == 250


def test_one_letter_lines_use_no_extra_memory() -> None:
    box = Box()
    content = b"x\r\n" * (MEGABYTE // 3)
    with listening(box) as listener:
        assert code(listener, ANN) == 250
        tracemalloc.start()
        try:
            assert code(listener, ANN, content) == 250
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert box.mails[-1].content == content
    assert most < 12 * MEGABYTE  # the sender, in this process, keeps some copies


def test_text_arrives_unchanged_in_any_pieces() -> None:
    box = Box()
    chance = random.Random(8)
    pieces = [b".", b"..", b"\r", b"\n", b"\r\n", b"\r\n.", b"x", b"y" * 16_380, b"\n.\n", b"\r\n\r\n"]
    texts = [b"".join(chance.choices(pieces, k=chance.randrange(12))) + b"\r\n" for _ in range(25)]
    with listening(box) as listener, Talk(listener, OURS) as say:
        assert say(b"").startswith(b"220")
        for text in texts:
            for line in (b"HELO a\r\n", b"MAIL FROM:<a@b.org>\r\n", b"RCPT TO:<play@d.org>\r\n"):
                assert say(line).startswith(b"250")
            sent = (b"\r\n" + text).replace(b"\r\n.", b"\r\n..")[2:] + b".\r\n"
            cut = chance.randrange(len(sent) + 1)
            assert say(b"DATA\r\n").startswith(b"354")
            say.send(sent[:cut])
            assert say(sent[cut:]).startswith(b"250")
    assert [mail.content for mail in box.mails] == texts


@pytest.mark.parametrize("line", [b"NOOP\r\n", b"RSET\r\n", b"HELP\r\n", b"HELO a\r\n"])
def test_session_without_an_email_ends_after_many_commands(line: bytes) -> None:
    with listening(Box(), replace(LIMITS, replies=20)) as listener, Talk(listener, ANN) as say:
        replies = [say(b""), *(say(line) for _ in range(20))]
        assert {reply[:1] for reply in replies} == {b"2"}
        assert say(b"").startswith(b"421 4.7.0")
        assert say(b"") == b""


@pytest.mark.parametrize(
    "line",
    [b"\r\n", b"MAIL TO:<a@b.org>\r\n", b"\xff\r\n", b"RCPT TO:<guess@d.org>\r\n", b"NOOP " + b"x" * 20_000],
)
def test_peer_is_disconnected_after_many_refusals(line: bytes) -> None:
    with listening(Box(), replace(LIMITS, refusals=5)) as listener, Talk(listener, ANN) as say:
        for hello in (b"", b"HELO a\r\n", b"MAIL FROM:<a@b.org>\r\n"):
            assert say(hello).startswith(b"2")
        refusals = [say(line if line.endswith(b"\n") else line + b"\r\n") for _ in range(6)]
        assert {reply[:1] for reply in refusals} == {b"5"}
        assert say(b"").startswith(b"421 4.7.0")
        assert say(b"") == b""


def test_trusted_mail_servers_have_no_limit_on_replies_or_refusals() -> None:
    with listening(Box(), replace(LIMITS, replies=5, refusals=5)) as listener, Talk(listener, OURS) as say:
        assert say(b"").startswith(b"220")
        assert {say(b"NOOP\r\n")[:3] for _ in range(50)} == {b"250"}
        assert {say(b"\r\n")[:3] for _ in range(50)} == {b"500"}


def test_even_trusted_sessions_end() -> None:
    with listening(Box(), replace(LIMITS, session=0.2)) as listener, Talk(listener, OURS) as say:
        assert say(b"").startswith(b"220")
        await_that(lambda: not answered(say))


@pytest.mark.slow
def test_client_that_reads_no_replies_is_disconnected() -> None:
    limits = replace(LIMITS, connections=Quota(most=1, ours=0, each=1))
    with listening(Box(), limits, idle=0.3) as listener, Talk(listener, OURS) as say:
        assert say(b"").startswith(b"220")
        say.send_without_reading(b"HELP\r\n" * 10_000)
        await_that(lambda: code(listener, BEN) == 250)


@pytest.mark.parametrize(
    ("path", "address"),
    [
        (b"<>", ""), (b"<ann@x.org>", "ann@x.org"), (b" < ann@x.org > ", "ann@x.org"),
        (b"ann@x.org", "ann@x.org"), (b"<ann>", "ann"), (b"<a(b)@x.org>", "a(b)@x.org"),
        (b'<"a b"@x.org>', '"a b"@x.org'), (b'<"a>\\"b"@x.org>', '"a>\\"b"@x.org'),
        (b"<@one.example,@two.example:ann@x.org>", "ann@x.org"),
        (b"<" + b"a" * 500 + b"@x.org>", "a" * 500 + "@x.org"),
    ],
)  # fmt: skip
def test_return_paths_are_parsed(path: bytes, address: str) -> None:
    box = Box()
    with listening(box) as listener, Talk(listener, ANN) as say:
        for line in (
            b"",
            b"EHLO a\r\n",
            *[b""] * 5,
            b"MAIL FROM:" + path + b"\r\n",
            b"RCPT TO:<play@d.org>\r\n",
        ):
            assert say(line).startswith(b"2")
        assert say(b"DATA\r\n").startswith(b"354")
        assert say(MAIL + b".\r\n").startswith(b"250")
    assert [mail.mail_from for mail in box.mails] == [address]


@pytest.mark.parametrize("path", [b"<a b@x>", b"<a@x", b'<"a@x>', b"<" + b"(x " * 600 + b")" * 60])
def test_invalid_return_path_is_refused(path: bytes) -> None:
    with listening(Box()) as listener, Talk(listener, ANN) as say:
        for line in (b"", b"HELO a\r\n"):
            assert say(line).startswith(b"2")
        assert say(b"MAIL FROM:" + path + b"\r\n").startswith(b"5")
