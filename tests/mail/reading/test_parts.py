"""The parser of raw emails."""

from __future__ import annotations

import pytest

from mail.reading.parts import Part, parse


def shape(part: Part) -> object:
    return [part.media_type, *map(shape, part.parts)] if part.parts else part.media_type


def test_headers_are_found_in_any_case_unfolded_and_in_order() -> None:
    headers = parse(b"To: a\r\nSUBJECT:  one\r\n\ttwo\r\nto:b\r\n\r\nTo: c\r\n").headers
    assert headers.all("tO") == ["a", "b"]
    assert headers.first("Subject") == "one\ttwo"
    assert headers.first("From") == ""
    assert headers.names() == ["to", "subject"]


@pytest.mark.parametrize(
    ("raw", "body"),
    [
        (b"A: b\n\nc4\n", b"c4\n"),
        (b"A: b\r\n\r\nc4\r\n", b"c4\n"),
        (b"A: b\r\rc4\r", b"c4\n"),
        (b"\r\n\n\nA: b\n\nc4", b"c4"),
        (b"From x Mon Mar 2 15:04:05\nA: b\n\nc4", b"c4"),
        (b"no header\nA: b\n B c: d\n\nc4", b"c4"),
        (b"A: b\n", b""),
        (b"A: b", b""),
    ],
)
def test_header_ends_at_the_first_empty_line(raw: bytes, body: bytes) -> None:
    mail = parse(raw)
    assert mail.headers.first("A").startswith("b")
    assert mail.body == body


def test_nested_parts_are_read() -> None:
    mail = parse(
        b'Content-Type: multipart/mixed;\n boundary="a b"\n\npreamble\n--a b\n'
        b"Content-Type: multipart/alternative; boundary=a\n\n"
        b"--a\n\nc4\n--a\nContent-Type: TEXT/HTML\n\n<p>c4\n--a--\n"
        b"--a b  \nContent-Type: message/rfc822\n\nSubject: x\n\n--a b\n\n--a b--\nepilogue\n--a b\n\nno more\n"
    )
    assert shape(mail) == [
        "multipart/mixed",
        ["multipart/alternative", "text/plain", "text/html"],
        "message/rfc822",
        "text/plain",
    ]
    assert [part.text(100) for part in mail.walk() if part.media_type.startswith("text")] == ["c4", "<p>c4", ""]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"\nc4", "text/plain"),
        (b"Content-Type: text\n\nc4", "text/plain"),
        (b"Content-Type: text/html charset=utf-8\n\nc4", "text/html"),
        (b"Content-Type: multipart/mixed\n\n--a\n\nc4", "multipart/mixed"),
        (b"Content-Type: multipart/mixed; boundary=b\n\nc4", "text/plain"),
        (b"Content-Type: multipart/mixed; boundary=a\n\n--a\n\nc4", ["multipart/mixed", "text/plain"]),
        (b"Content-Type: multipart/digest; boundary=a\n\n--a\n\nx: y", ["multipart/digest", "message/rfc822"]),
        (b"Content-Type: multipart/mixed; boundary=a\n\n--a\n--a--", ["multipart/mixed", "text/plain"]),
        (b"Content-Type: multipart/mixed; boundary=a\n\n--a--", "text/plain"),
        (
            b"Content-Type: multipart/mixed; boundary=a\n\n--a\nA: b\n--a\nContent-Type: text/html\n\nc4",
            ["multipart/mixed", "text/plain", "text/html"],
        ),
    ],
)
def test_malformed_parts_remain_in_one_piece(raw: bytes, expected: object) -> None:
    assert shape(parse(raw)) == expected


def test_parser_has_limits() -> None:
    wide = parse(b"Content-Type: multipart/mixed; boundary=a\n\n" + b"--a\n\nx\n" * 1000)
    assert len(list(wide.walk())) <= 101
    deep = parse(b"".join(b"Content-Type: multipart/x; boundary=%d\n\n--%d\n" % (n, n) for n in range(50)))
    assert len(list(deep.walk())) == 11


def test_long_text_is_cut_between_lines_and_characters() -> None:
    text = "äöü\n" * 1000
    for encoding, body in (("8bit", text.encode()), ("quoted-printable", text.replace("ä", "=C3=A4").encode())):
        raw = (
            f"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: {encoding}\n\n".encode()
            + body
        )
        cut = parse(raw).text(100)
        assert cut
        assert text.startswith(cut)
        assert len(cut.encode()) <= 100


@pytest.mark.parametrize(
    ("parameters", "body", "text"),
    [
        ("", "a \nb", "a \nb"),
        ("; format=flowed", "a \nb\nc \n\nd", "a b\nc \nd"),
        ("; format=flowed", "> a \n> b\nc", "> a b\nc"),
        ("; format=flowed", "> a \nb", "> a \nb"),
        ("; format=flowed", " >a\n  b", ">a\n b"),
        ("; format=flowed", "a \n-- \nAnn", "a \n-- \nAnn"),
        ("; format=flowed; delsp=yes", "abc \ndef", "abcdef"),
        ('; Format="Flowed"; DelSp="no"', "a \nb", "a b"),
    ],
)
def test_flowed_text_is_joined(parameters: str, body: str, text: str) -> None:
    assert parse(f"Content-Type: text/plain{parameters}\n\n{body}".encode()).text(100) == text


def test_attached_files_are_recognized() -> None:
    assert parse(b"Content-Disposition: ATTACHMENT; filename=x\n\n").attached
    assert not parse(b"Content-Disposition: inline\n\n").attached
    assert not parse(b"\n").attached
