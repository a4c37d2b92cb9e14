"""Links that open a new email, read as email programs read them."""

from __future__ import annotations

from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from mail.addresses import mailto


@pytest.mark.parametrize("body", ["", "c4", "1 ne, 2 n", "a+b & c=d?", "say Grüße, „ja“!", "x" * 500])
@pytest.mark.parametrize("subject", ["", "Nibble 7: Ann - Ben", "50 % & more? #1"])
def test_mailto_link_fills_in_subject_and_body(subject: str, body: str) -> None:
    link = mailto("play+abc@games.example", subject, body)
    assert link.isascii()
    assert not set(" +\"'<>").intersection(link)
    read = urlsplit(link)
    fields = parse_qs(read.query, strict_parsing=bool(read.query))
    assert unquote(read.path) == "play+abc@games.example"
    assert fields == {name: [text] for name, text in (("subject", subject), ("body", body)) if text}


def test_lines_in_links_end_with_crlf() -> None:
    assert (
        mailto("a@b.example", body="1 ne\n2 n\r\nhold") == "mailto:a@b.example?body=1%20ne%0D%0A2%20n%0D%0Ahold"
    )
