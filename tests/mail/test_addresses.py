"""Addresses: equal mailboxes, invalid ones, and the tag that names a game."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.addresses import BadAddress, mailboxes, normalise, tagged


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("ann@example.org", "ann@example.org"),
        ("  Ann.Lee@Example.ORG ", "ann.lee@example.org"),
        ("play+K7Q2@games.example", "play+k7q2@games.example"),
        ("o'neil@demo.test", "o'neil@demo.test"),
        ("JÖRG@BÜCHER.de", "jörg@xn--bcher-kva.de"),
    ],
)
def test_mailbox_has_one_spelling(written: str, expected: str) -> None:
    assert normalise(written) == expected
    assert normalise(expected) == expected


@pytest.mark.parametrize(
    "written",
    ["", "ann", "@example.org", "ann@", "ann@home", "a b@example.org", "a..b@example.org", "a@b@example.org",
     "Ann <ann@example.org>", "ann@example.org\nBcc: all@example.org", "ann@[127.0.0.1]", "x" * 100 + "@d..org",
     "\ud800@example.org", "x" * 100_000 + "@example.org"],
)  # fmt: skip
def test_text_that_is_no_address_is_refused_with_a_sentence(written: str) -> None:
    with pytest.raises(BadAddress, match=r"is not an email address\. [A-Z].*\.$") as refused:
        normalise(written)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300
    str(refused.value).encode()


@pytest.mark.parametrize(
    ("address", "parts"),
    [
        ("play+abc@d.org", ("play", "abc", "d.org")),
        ("Play+ABC@D.org", ("play", "abc", "d.org")),
        ("play%2BABC@d.org", ("play", "abc", "d.org")),
        ("play@d.org", ("play", "", "d.org")),
        ("play+a+b@d.org", ("play", "a+b", "d.org")),
        ("play", ("play", "", "")),
        ("@d.org", ("", "", "d.org")),
        ("", ("", "", "")),
    ],
)
def test_tagged_address_is_split(address: str, parts: tuple[str, str, str]) -> None:
    assert tagged(address) == parts


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("ann@example.org", [("", "ann@example.org")]),
        ("<ann@example.org>", [("", "ann@example.org")]),
        ("Ann Lee <ann@example.org>", [("Ann Lee", "ann@example.org")]),
        ("ann@example.org (Ann Lee)", [("", "ann@example.org")]),
        ('"Lee, Ann \\"the axe\\"" <ann@example.org>', [('Lee, Ann "the axe"', "ann@example.org")]),
        ("ann@example.org <eve@example.com>", [("ann@example.org", "eve@example.com")]),
        ("a@x.org, B <b@x.org>,,", [("", "a@x.org"), ("B", "b@x.org")]),
        ("players: a@x.org, b@x.org;", [("", "a@x.org"), ("", "b@x.org")]),
        ("undisclosed-recipients:;", []),
        ("", []),
        ("Ann", [("", "Ann")]),
        ("<a@x.org> b@x.org", [("b@x.org", "a@x.org")]),
    ],
)
def test_mailboxes_of_a_header_are_returned(value: str, expected: list[tuple[str, str]]) -> None:
    assert mailboxes(value) == expected


@pytest.mark.parametrize(
    "value",
    [
        "a@x.org (nested (comment) <b@x.org>)",
        'a@x.org "unclosed <b@x.org>',
        "<a@x.org> <b@x.org>",
        "<<a@x.org>>",
        "<a@x.org",
        "a@x.org)",
    ],
)
def test_ambiguous_mailbox_has_no_address(value: str) -> None:
    assert "" in [address for _, address in mailboxes(value)]


@given(st.text(st.sampled_from('ab@.<>"\\(),;: \n')))
def test_any_header_can_be_read(value: str) -> None:
    assert all(len(name) + len(address) <= len(value) for name, address in mailboxes(value))


@pytest.mark.timeout(60)
@pytest.mark.parametrize("piece", ["(", '"', "<", "\\", '"\\', "a@b.org,", ",", "<>", "()", "=?utf-8?q?a?= "])
def test_long_header_is_read_fast(piece: str) -> None:
    assert len(mailboxes(piece * 1_000_000)) <= 20_000
