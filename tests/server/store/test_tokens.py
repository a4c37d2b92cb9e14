"""Reply tokens."""

from __future__ import annotations

import hmac
import struct
from base64 import b32decode, b32encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.addresses import with_tag
from mail.reading.reports import bounce_address
from server.settings import Settings
from server.store.keys.derivation import derive
from server.store.tokens import ConfirmationToken, ReplyToken, TokenSigner

TOKENS = TokenSigner(["k" * 32])
NUMBERS = st.integers(0, 2**48 - 1), st.integers(0, 255), st.integers(0, 65535), st.integers(0, 65535)
WHAT = st.builds(ReplyToken, *NUMBERS)


@given(WHAT)
def test_token_reads_back(what: ReplyToken) -> None:
    text = TOKENS.write(what)
    assert TOKENS.read(text) == TOKENS.read(text.upper()) == what


@given(WHAT)
def test_reply_address_is_short_and_in_lower_case(what: ReplyToken) -> None:
    local = f"play+{TOKENS.write(what)}"
    assert len(local) <= 64
    assert local == local.lower()
    assert local.replace("+", "").isalnum()


@given(WHAT, st.data())
def test_every_changed_character_is_noticed(what: ReplyToken, data: st.DataObject) -> None:
    text = TOKENS.write(what)
    at = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.sampled_from("abcdefghijklmnopqrstuvwxyz234567").filter(lambda c: c != text[at]))
    assert TOKENS.read(text[:at] + other + text[at + 1 :]) is None


@pytest.mark.parametrize(
    "text",
    [
        "", "a", "é" * 36, "a" * 36, "1" * 36, "a" * 5000, "=" * 36, "\ud800" * 36,
        # In the other case, these are ASCII letters.
        "ı" * 36, "ſ" * 36, "ß" * 8 + "a" * 8, "\N{KELVIN SIGN}" * 36,
    ],
)  # fmt: skip
def test_text_that_is_no_token_is_refused(text: str) -> None:
    assert TOKENS.read(text) is None


def test_numbers_cannot_be_read_without_the_key() -> None:
    """Numbers of emails would reveal how many others wrote in between."""
    read = [b32decode(f"{TOKENS.write(ConfirmationToken(number)).upper()}====")[:9] for number in range(1, 100)]
    assert len({each[:8] for each in read}) == 99, "no part of them counts up"


def test_unencrypted_token_is_refused() -> None:
    what = struct.pack(">BQHB", 1, 7, 3, 1)
    mac = hmac.digest(derive("k" * 32, "reply tokens"), what, "sha256")[:10]
    assert TOKENS.read(b32encode(what + mac).decode().rstrip("=").lower()) is None


def test_token_of_version_0_1_is_read() -> None:
    """Games last for months, and so do the addresses in their emails."""
    assert TOKENS.read("pzeycbzjmk4qloibhridqb4n5n6urgmbnfda") == ReplyToken(7, 1, 3)


def test_confirmation_token_reads_back() -> None:
    assert TOKENS.read(TOKENS.write(ConfirmationToken(7))) == ConfirmationToken(7)


@given(WHAT)
def test_end_of_a_message_id_is_no_reply_address(what: ReplyToken) -> None:
    end, token = TOKENS.write_id(what), TOKENS.write(what)
    assert TOKENS.find("play@games.example", [f"k7.{end}@games.example"]) == what
    assert TOKENS.read(end) is None
    assert TOKENS.find("play@games.example", [f"k7.{token}@games.example"]) is None


def test_dropped_tag_is_found_in_the_header() -> None:
    plain, tagged = "play@games.example", f"play+{TOKENS.write(ReplyToken(7, 1, 3))}@games.example"
    assert TOKENS.addressed(plain, ["ann@x.example", "play+x@games.example", tagged]) == tagged
    assert TOKENS.addressed(plain, ["ann@x.example", "play+x@games.example"]) == plain
    assert TOKENS.addressed("play+y@games.example", [tagged]) == "play+y@games.example"


def test_return_path_is_signed() -> None:
    key = "0123456789abcdef01234567"
    text = TOKENS.write_return(key)
    assert TOKENS.read_return(text) == key
    assert TokenSigner(["new" * 12, "k" * 32]).read_return(text) == key
    for other in ("", key, text[:-1], text[1:], text[:-1] + "x", "é" * 32, TOKENS.write_return("")):
        assert TOKENS.read_return(other) == "", other


def test_every_own_address_fits_mail_systems() -> None:
    plain = Settings(secret_key="k" * 32, mail_domain="games.example", mail_name="n" * 23).plain_address
    reply = with_tag(plain, TOKENS.write(ReplyToken(2**63, 3, 60_000)))
    path = bounce_address(TOKENS.write_return("0123456789abcdef01234567"), plain)
    assert max(len(address.partition("@")[0]) for address in (reply, path)) == 64


def test_token_of_an_old_key_is_read() -> None:
    text = TokenSigner(["old" * 12]).write(ReplyToken(7, 1, 3))
    assert TokenSigner(["new" * 12, "old" * 12]).read(text) == ReplyToken(7, 1, 3)
    assert TokenSigner(["new" * 12]).read(text) is None
