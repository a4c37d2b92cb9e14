"""Emails that are signed as a whole or encrypted: signed text is read, the rest is reported by its reason."""

from __future__ import annotations

import base64
from random import Random

import pytest

from mail.reading.message import Reading, read
from mail.reading.wrapping import DAMAGED, ENCRYPTED, IN_TNEF, without_armour
from tests.support.folders import MAILS
from tests.support.mail.hostile_emails import opaque

SIGNATURE = "-----BEGIN PGP SIGNATURE-----\n\niHUEARYKAB0\n=Ab1c\n-----END PGP SIGNATURE-----\n"


def sample(name: str) -> bytes:
    return (MAILS / "in" / f"{name}.eml").read_bytes()


def smime(data: bytes, content_type: str = "application/pkcs7-mime") -> bytes:
    head = f"From: ann@example.org\nContent-Type: {content_type}\nContent-Transfer-Encoding: base64\n\n"
    return head.encode() + base64.encodebytes(data)


def signed(name: str = "smime-opaque") -> bytes:
    return base64.b64decode(sample(name).split(b"\n\n", 1)[1])


@pytest.mark.parametrize(
    ("name", "text", "unread"),
    [
        ("smime-opaque", "c4\n\nGrüße", ""),
        ("smime-opaque-stream", "c4\n\nGrüße", ""),
        ("smime-encrypted", "", ENCRYPTED),
        ("pgp-inline", "c4", ""),
        ("pgp-inline-encrypted", "", ENCRYPTED),
        ("pgp-encrypted", "", ENCRYPTED),
        ("winmail-only", "", IN_TNEF),
        ("outlook-tnef", "c4", ""),
        ("pgp-signed", "c4", ""),
        ("empty-answer", "", ""),
    ],
)
def test_wrapped_email_is_read_or_the_reason_given(name: str, text: str, unread: str) -> None:
    found = read(sample(name))
    assert (found.text, found.unread) == (text, unread)


@pytest.mark.parametrize(
    ("content_type", "unread"),
    [
        ("application/pgp-encrypted", ENCRYPTED),
        ("multipart/encrypted; boundary=c\n\n--c\nContent-Type: application/octet-stream", ENCRYPTED),
        ("application/ms-tnef", IN_TNEF),
        ("application/vnd.ms-tnef", IN_TNEF),
        ("application/pdf", ""),
    ],
)
def test_reason_is_given_by_any_part(content_type: str, unread: str) -> None:
    """Exchange servers change the type of the whole email."""
    head = "From: ann@example.org\nContent-Type: multipart/mixed; boundary=b\n\n"
    found = read(f"{head}--b\nContent-Type: {content_type}\n\nVersion: 1\n--b--\n".encode())
    assert (found.text, found.unread) == ("", unread)


@pytest.mark.parametrize(
    "content_type",
    [
        "application/x-pkcs7-mime; smime-type=signed-data",
        'application/octet-stream; name="SMIME.p7m"',
        "application/octet-stream\nContent-Disposition: attachment; filename=smime.p7m",
    ],
)
def test_signed_email_is_recognized_by_any_of_its_types(content_type: str) -> None:
    assert read(smime(signed(), content_type)).text == "c4\n\nGrüße"


@pytest.mark.parametrize(
    "content_type", ['application/zip; name="smime.p7m"', 'application/octet-stream; name="board.dat"']
)
def test_other_attachments_are_not_opened(content_type: str) -> None:
    found = read(smime(signed(), content_type))
    assert (found.text, found.unread) == ("", "")


def test_signed_email_within_others_is_read() -> None:
    """Gateways forward it with added lines; two signatures deep at most."""
    wrapped = smime(signed()).split(b"\n", 1)[1]
    head = b"From: ann@example.org\nContent-Type: multipart/mixed; boundary=b\n\n"
    assert read(head + b"--b\n\nThis came from outside.\n--b\n" + wrapped + b"\n--b--\n").text == "c4\n\nGrüße"


def signed_around(email: bytes) -> bytes:
    """Return an email signed with S/MIME that contains this one."""
    oid = bytes.fromhex("06092a864886f70d0107")
    text = b"\x04\x82" + len(email).to_bytes(2) + email
    content = b"0\x80" + oid + b"\x01\xa0\x80" + text + b"\0\0\0\0"
    return smime(b"0\x80" + oid + b"\x02\xa0\x80" + b"0\x80\2\1\x011\0" + content + b"1\0" + b"\0\0" * 3)


def test_emails_signed_twice_are_read_and_no_deeper_ones() -> None:
    email = b"From: ann@example.org\n\nc4\n"
    assert read(signed_around(signed_around(email))).text == "c4"
    assert read(signed_around(signed_around(signed_around(email)))).text == ""


@pytest.mark.parametrize("damage", [b"", b"0", b"0\x80" * 40_000, b"$\x80" * 1000, b"x" * 150_001])
def test_invalid_signed_email_is_reported(damage: bytes) -> None:
    assert read(smime(damage)).unread == DAMAGED


def test_damaged_signed_email_never_raises() -> None:
    random = Random(1)
    found: list[Reading] = []
    for _ in range(300):
        data = bytearray(signed(random.choice(["smime-opaque", "smime-opaque-stream", "smime-encrypted"])))
        for _ in range(random.randint(1, 4)):
            data[random.randrange(random.choice((60, 300)))] = random.randrange(256)
        found.append(read(smime(bytes(data))))
    assert {each.unread for each in found} == {"", ENCRYPTED, DAMAGED}


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nc4\n{SIGNATURE}", "c4\n\n"),
        (f"-----BEGIN PGP SIGNED MESSAGE-----\n\n- - c4\n- -- \nAnn\n{SIGNATURE}", "- c4\n-- \nAnn\n\n"),
        ("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nc4\n", "c4\n"),
        (f"c4\n\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\nd5\n{SIGNATURE}e6\n", "c4\n\nd5\n\ne6\n"),
        (f"> -----BEGIN PGP SIGNED MESSAGE-----\n> \n> c4\n> {SIGNATURE}", ""),
        ("c4\n-----BEGIN PGP MESSAGE-----\n\nabc\n-----END PGP MESSAGE-----\n> x", "c4\n\n> x"),
    ],
)
def test_lines_of_a_text_signature_are_removed(text: str, plain: str) -> None:
    assert without_armour(text)[0] == (plain or text)


@pytest.mark.parametrize("kind", [b"text", b"others"])
def test_email_signed_in_too_many_pieces_is_not_read(kind: bytes) -> None:
    """Parsing each piece takes time."""
    assert read(opaque(kind, 1900)).unread != DAMAGED
    assert read(opaque(kind, 2100)).unread == DAMAGED
