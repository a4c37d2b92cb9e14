"""Bytes as text: every label in use, wrong labels, and broken encodings."""

from __future__ import annotations

import pytest

from mail.decoding import header_text, text_of, transfer_decoded, visible


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("utf-8", "utf-8", "Zug – 車"),
        ("UTF8", "utf-8", "Zug – 車"),
        ('"utf-8"', "utf-8", "é"),
        ("utf-16", "utf-16", "é車"),
        ("unicode-1-1-utf-7", "utf-7", "é"),
        ("us-ascii", "cp1252", "“é”"),
        ("iso-8859-1", "cp1252", "“é”"),
        ("ANSI_X3.4-1968", "cp1252", "é"),
        ("iso-8859-2", "iso-8859-2", "žluťoučký"),
        ("iso-8859-8-i", "iso-8859-8", "שלום"),
        ("iso-8859-9", "cp1254", "ışık"),
        ("iso-8859-15", "iso-8859-15", "5 €"),
        ("windows-874", "cp874", "สวัสดี"),
        ("windows-1251", "cp1251", "ход"),
        ("win-1251", "cp1251", "ход"),
        ("koi8-r", "koi8-r", "ход"),
        ("koi8-u", "koi8-u", "хід"),
        ("x-mac-cyrillic", "mac_cyrillic", "ход"),
        ("x-sjis", "cp932", "あなた①"),
        ("shift_jis", "cp932", "あなた"),
        ("iso-2022-jp", "iso2022_jp", "あなた"),
        ("x-euc-jp", "euc_jp", "あなた"),
        ("gb2312", "gbk", "你好镕"),
        ("hz-gb-2312", "hz", "你好"),
        ("big5", "big5", "你好"),
        ("ks_c_5601-1987", "cp949", "안녕 똠"),
        ("unknown-8bit", "utf-8", "é"),
        ("unknown-8bit", "cp1252", "“é”"),
        ("", "utf-8", "é"),
        ("utf-8*de", "utf-8", "é"),
    ],
)
def test_text_is_decoded_in_any_character_set(label: str, codec: str, text: str) -> None:
    assert text_of(text.encode(codec), label) == text


@pytest.mark.parametrize(
    "label", ["us-ascii", "iso-8859-1", "windows-1252", "koi8-x", "", "x" * 1000, "\ud800"]
)
def test_utf8_with_a_wrong_label_is_decoded(label: str) -> None:
    assert text_of("schön – 車".encode(), label) == "schön – 車"


@pytest.mark.parametrize(
    "label", ["utf-8", "utf-16", "ascii", "iso-2022-jp", "euc-kr", "gb18030", "hz", "utf-7"]
)
def test_invalid_bytes_become_some_text(label: str) -> None:
    assert text_of(b"c4 \xff\xfe\x81\x1b$B~{ +A", label).encode()


@pytest.mark.parametrize(
    "label", ["rot13", "hex", "base64", "zlib", "unicode_escape", "idna", "undefined", "mbcs"]
)
def test_codec_that_is_no_character_set_is_not_used(label: str) -> None:
    assert text_of(rb"c4 \x41 68656c6c6f", label) == r"c4 \x41 68656c6c6f"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "plain"),
        ("  two \t words\n ", "two words"),
        ("=?utf-8?Q?J=C3=B6rg_M?=", "Jörg M"),
        ("=?UTF-8?b?SsO2cmc=?=", "Jörg"),
        ("=?utf-8?B?SsO2cmc?=", "Jörg"),
        ("Re: =?utf-8?q?J=C3?= =?utf-8?q?=B6rg?= =?utf-8?q?!?= x", "Re: Jörg! x"),
        ("=?utf-8?q?a?=\n =?iso-8859-1?q?=E9?= b", "aé b"),
        ("a=?utf-8?q?b?=c", "abc"),
        ("=?iso-2022-jp?B?GyRCOzMbKEI=?=", "山"),
        ("=?nonsense?q?=C3=B6?=", "ö"),
        ("=?utf-8?x?abc?=", "=?utf-8?x?abc?="),
        ("=?utf-8?q?", "=?utf-8?q?"),
        ("=?utf-8?b?!!!?=", ""),
        ("", ""),
    ],
)
def test_encoded_words_are_decoded(value: str, text: str) -> None:
    assert header_text(value) == text


@pytest.mark.parametrize(
    ("encoding", "body", "data"),
    [
        ("base64", b"YzQK\n", b"c4\n"),
        ("BASE64 ", b"Yz\nQK", b"c4\n"),
        ("base64", b"YzQ", b"c4"),
        ("base64", b"YzQKY", b"c4\n"),
        ("base64", b"Y-z*Q K", b"c4\n"),
        ("base64", b"YzQK\n\n___\nGames list\n", b"c4\n\n\n___\nGames list\n"),
        ("base64", b"YzQK\r\n\r\n___\r\nGames list\r\n", b"c4\n\r\n\r\n___\r\nGames list\r\n"),
        ("base64", b"Yz\n\nQK\n\n", b"c4\n"),
        ("base64; charset=utf-8", b"YzQ=", b"c4"),
        ("quoted-printable;", b"c=34", b"c4"),
        ('"quoted-printable"', b"c=34", b"c4"),
        ("base64", b"", b""),
        ("quoted-printable", b"c=34 =C3=B6=\n!", b"c4 \xc3\xb6!"),
        ("quoted-printable", b"c=4 =XX", b"c=4 =XX"),
        ("8bit", b"c\xff", b"c\xff"),
        ("x-uuencode", b"c4", b"c4"),
        ("", b"c4", b"c4"),
    ],
)
def test_transfer_encodings_are_decoded(encoding: str, body: bytes, data: bytes) -> None:
    assert transfer_decoded(body, encoding) == data


@pytest.mark.parametrize(
    ("label", "data", "text"),
    [
        ("gb2312", "c4\u00a0 ♟".encode(), "c4\u00a0 ♟"),
        ("gb2312", "你好".encode("gb18030"), "你好"),
        ("shift_jis", "よろしく".encode(), "よろしく"),
        ("shift_jis", "よろしく".encode("cp932"), "よろしく"),
        ("", "ｃ４ よろしく".encode("iso2022_jp"), "ｃ４ よろしく"),
        ("us-ascii", "よろしく".encode("iso2022_jp"), "よろしく"),
        ("", b"costs \x1b$ 5", "costs \x1b$ 5"),
    ],
)
def test_wrong_or_missing_label_does_no_harm(label: str, data: bytes, text: str) -> None:
    assert text_of(data, label) == text


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("\u202egniK \u2066x\u2069", "gniK x"),
        ("\u200ea\u200f\u061cb\u2067\u2068\u202c", "ab"),
        ("pay\u200bpal so\xadft \ufeff\u2060\u180e", "paypal soft "),
        ("A\u200dnn a\u200c", "Ann a"),
        ("\x1b[2Jgone\x07\x9b", "[2Jgone"),
        ("hidden \U000e0061\U000e0062", "hidden "),
        ("one\ttwo\r\nthree", "one\ttwo\r\nthree"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष ക്\u200d", "क्\u200dष ക്\u200d"),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467 ❤\ufe0f\u200d\U0001f525", None),
        ("\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", None),
        ("\U0001f44d\U0001f3fd\u200d\u200d", "\U0001f44d\U0001f3fd\u200d"),
        ("שלום Zoë 李 1\ufe0f\u20e3", None),
    ],
)
def test_invisible_characters_are_removed_except_joiners(text: str, seen: str | None) -> None:
    assert visible(text) == (text if seen is None else seen)
