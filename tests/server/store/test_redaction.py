"""Nabu's secrets are removed from texts in any encoding; other texts stay unchanged."""

from __future__ import annotations

import quopri
from base64 import b64encode, encodebytes, urlsafe_b64encode
from collections.abc import Callable
from datetime import UTC, datetime
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.accounts.login.links import Logins, NewPlayer, Watching
from server.limits import LONGEST_MESSAGE
from server.store.keys.sealing import Sealer
from server.store.letters.account import AccountChanged
from server.store.models import Player
from server.store.redaction import ADDRESS, API_TOKEN, LINK
from server.store.tokens import ConfirmationToken, ReplyToken, TokenSigner
from tests.support.counting import steps
from tests.support.mail.reply_tokens import tokens_in

KEYS = ["k" * 32, "old" * 12]
SEALER, TOKENS, LOGINS = Sealer(KEYS), TokenSigner(KEYS), Logins(KEYS)
OLD, FOREIGN = TokenSigner(KEYS[1:]), TokenSigner(["f" * 32])
ADDRESS_OF_ANN = f"play+{TOKENS.write(ReplyToken(7, 1, 3))}@games.example.org"
PAGES = "https://games.example.org"
CHANGED = AccountChanged(1, "token", "Robot", "", datetime(2026, 11, 26, tzinfo=UTC), "ann@example.org")


def redacted(text: str) -> str:
    return SEALER.without_secrets(text, LONGEST_MESSAGE)


def wide(text: str) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text)


def in_the_middle(text: str, between: str) -> str:
    return text[: len(text) // 2] + between + text[len(text) // 2 :]


ENCODINGS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "upper case": str.upper,
    "in a URL": quote,
    "percent": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "percent twice": lambda text: quote(quote(text)),
    "quoted-printable": lambda text: quopri.encodestring(text.encode()).decode(),
    "quoted-printable throughout": lambda text: "".join(f"={byte:02X}" for byte in text.encode()),
    "base64": lambda text: b64encode(text.encode()).decode(),
    "base64 in lines": lambda text: encodebytes(b"Hello Ben\n" * 9 + text.encode() + b"\nRegards").decode(),
    "base64 for URLs, cut": lambda text: urlsafe_b64encode(f"?? {text} ??".encode()).decode()[1:].rstrip("="),
    "decimal entities": lambda text: "".join(f"&#{ord(sign)};" for sign in text),
    "hexadecimal entities": lambda text: "".join(f"&#x{ord(sign):x};" for sign in text),
    "named entities": lambda text: text.replace("+", "&plus;").replace("@", "&commat;"),
    "wide letters": wide,
    "two lines": lambda text: in_the_middle(text, "\r\n"),
    "two quoted lines": lambda text: in_the_middle(text, "\n> > "),
    "a soft line end": lambda text: in_the_middle(text, "=\n"),
    "soft hyphens": "\u00ad".join,
    "an invisible space": lambda text: in_the_middle(text, "\u200b"),
}
PLACES = (
    "{}",
    "<{}>",
    "mailto:{}?subject=Re",
    "https://mail.example.org/compose?to={}&x=1",
    "From: Ann <{}>\n> Subject: Your move",
    "Am Montag schrieb Ann <{}>:",
)
tokens = st.one_of(
    st.builds(ReplyToken, st.integers(0, 2**64 - 1), st.integers(0, 255), st.integers(0, 2**16 - 1)),
    st.builds(ConfirmationToken, st.integers(0, 2**64 - 1)),
)
encodings = st.lists(st.sampled_from(sorted(ENCODINGS)), min_size=1, max_size=2, unique=True)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_decoder_reads_every_encoding(encoding: str) -> None:
    """Without this, the next test would prove nothing."""
    assert tokens_in(TOKENS, ENCODINGS[encoding](ADDRESS_OF_ANN))


@given(tokens, st.sampled_from([TOKENS, OLD]), st.sampled_from(PLACES), encodings, st.text(max_size=30))
def test_no_token_passes_in_any_encoding(
    token: ReplyToken | ConfirmationToken, by: TokenSigner, place: str, ways: list[str], beside: str
) -> None:
    text = place.format(f"play+{by.write(token)}@games.example.org")
    for way in ways:
        text = ENCODINGS[way](text)
    assert tokens_in(TOKENS, redacted(f"{beside} {text}\n{beside}")) == []


@given(st.text(max_size=200), st.sampled_from(sorted(ENCODINGS)))
def test_other_texts_pass_unchanged(text: str, way: str) -> None:
    assert redacted(text) == text
    text = ENCODINGS[way](f"Write to ann+{FOREIGN.write(ConfirmationToken(1))}@example.org. {text}")
    assert redacted(text) == text


@pytest.mark.parametrize(
    "text",
    [
        f"play+{TOKENS.write(ReplyToken(7, 1, 3))[:-1]}@games.example.org",
        f"<{'ab' * 12}.{TOKENS.write_id(ReplyToken(7, 1, 3))}@games.example.org>",
        f"play+{ADDRESS_OF_ANN[5:41][::-1]}@games.example.org",
        f"play+bounces-{'a' * 32}@games.example.org",
        f"{PAGES}/games/12/stop and {PAGES}/settings#feeds, confirm/unwatch it, then /enter/ a move.",
        "nabu_move(a1) is the function of my program; nabu_" + "x" * 42,
        "Is 50 % ab = cd &amp; 3 &lt; 4? =20 %20 &#65; c4=Q\n> yes\n> no",
    ],
)
def test_similar_texts_pass_unchanged(text: str) -> None:
    assert redacted(text) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"On Monday, Ann <{ADDRESS_OF_ANN}> wrote:", f"On Monday, Ann <{ADDRESS}> wrote:"),
        (f"Reply to {ADDRESS_OF_ANN}. Thanks", f"Reply to {ADDRESS}. Thanks"),
        (f"{ADDRESS_OF_ANN} {ADDRESS_OF_ANN}", f"{ADDRESS} {ADDRESS}"),
        (f"写信给{ADDRESS_OF_ANN}吧", f"写信给{ADDRESS}吧"),
        (
            f"Return-Path: <play+bounces-{TOKENS.write_return('ab' * 12)}@games.example.org>",
            f"Return-Path: <{ADDRESS}>",
        ),
        (f"{PAGES}/yes/{TOKENS.write(ConfirmationToken(3))} is the page", f"{PAGES}/yes/{ADDRESS} is the page"),
        (f"<{PAGES}/stop/{LOGINS.write_stop(12)}>", f"<{LINK}>"),
        (f"{PAGES}/confirm/{LOGINS.write_change(4, 'ann@example.org')} Please", f"{LINK} Please"),
        (f"{PAGES}/undo/{LOGINS.write_undo(CHANGED)}", LINK),
        (f"{PAGES}/unwatch/{LOGINS.write_unwatch(Watching(1, 2, None))}", LINK),
        (f"{PAGES}/feeds/{'aB_-' * 8}/games.atom, {PAGES}/feeds/{'aB_-' * 8}/deadlines.ics", f"{LINK}, {LINK}"),
        (f"Bearer nabu_{'aB_-' * 10}x7Q and so on", f"Bearer {API_TOKEN} and so on"),
        (f"{'x ' * 3990}{ADDRESS_OF_ANN}", f"{'x ' * 3990}{ADDRESS}"),
        (f"{'x ' * 4100}{ADDRESS_OF_ANN}", "x " * 4000),
        (f"{ADDRESS_OF_ANN} " * 200, f"{ADDRESS} " * 133 + ADDRESS),
    ],
)
def test_mark_replaces_the_complete_secret(text: str, left: str) -> None:
    assert redacted(text) == left


def test_login_links_are_removed() -> None:
    ann = Player(
        id=3, name="Ann", name_key="ann", name_shape="ann", created_at=datetime(2026, 3, 1, tzinfo=UTC)
    )
    links = (LOGINS.write(ann), LOGINS.write_new(NewPlayer("zoe@example.org", "Zo" * 15)))
    for secret in links:
        assert redacted(f"See {PAGES}/enter/{secret}. To log in") == f"See {LINK}. To log in"


@pytest.mark.parametrize("way", [way for way in ENCODINGS if not way.startswith(("upper", "in a", "plain"))])
def test_no_link_passes_in_any_encoding(way: str) -> None:
    text = ENCODINGS[way](f"{PAGES}/stop/{LOGINS.write_stop(12)}")
    assert LINK in redacted(text)


@pytest.mark.parametrize(
    "piece", ["a", "aq", "a q ", "V", "%61", "%2561", "=61", "&#97;", "\u200ba", "/stop/1", "nabu_a", "c4, "]
)
def test_redaction_takes_linear_time(piece: str) -> None:
    half, whole = (steps(redacted, piece * (length // len(piece))) for length in (1000, 2000))
    assert whole < 2.2 * half
