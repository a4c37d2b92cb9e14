"""Reply tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.tokens import ReplyToken, Tokens

TOKENS = Tokens(["k" * 32])
WHAT = st.builds(ReplyToken, st.integers(0, 2**64 - 1), st.integers(0, 255), st.integers(0, 65535))


@given(WHAT)
def test_a_token_reads_back(what: ReplyToken) -> None:
    text = TOKENS.write(what)
    assert TOKENS.read(text) == TOKENS.read(text.upper()) == what


@given(WHAT)
def test_a_reply_address_is_short_and_lower_case(what: ReplyToken) -> None:
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
        # In the other case these are letters of ours.
        "ı" * 36, "ſ" * 36, "ß" * 8 + "a" * 8, "\N{KELVIN SIGN}" * 36,
    ],
)  # fmt: skip
def test_what_is_no_token_is_none(text: str) -> None:
    assert TOKENS.read(text) is None


def test_an_old_key_still_reads() -> None:
    text = Tokens(["old" * 12]).write(ReplyToken(7, 1, 3))
    assert Tokens(["new" * 12, "old" * 12]).read(text) == ReplyToken(7, 1, 3)
    assert Tokens(["new" * 12]).read(text) is None
