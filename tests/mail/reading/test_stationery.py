"""Labels, letterheads and signatures of offices, apart from what a person wrote."""

from __future__ import annotations

import pytest

from mail.reading.stationery import Parted, part


@pytest.mark.parametrize(
    "label",
    [
        "Classification: Public",
        "[OFFICIAL]",
        "OFFICIAL-SENSITIVE",
        "TLP:CLEAR",
        "Internal use only",
        "Interne",
        "Klassifizierung: intern",
        "CAUTION: This email originated from outside of the organization.",
        "[EXTERNAL]",
        "Example Ltd\n12 Foo Street\nTel. +44 20 7946 0000",
        "[EXTERNAL EMAIL - DO NOT CLICK LINKS]",
        "*** EXTERN: Absender außerhalb ***",
        "This message came from outside your organization.",
        "ZjQcmQRYFpfptBannerStart\nThis Message Is From an External Sender\nZjQcmQRYFpfptBannerEnd",
        "You don't often get email from play@games.example.org. Learn why<https://aka.ms/Learn>",
        "--- Please reply above this line ---",
        "Translated from German:",
        "[Ticket #C5-20260302]",
        "[Gateway approved]",
        "C1 - Interne",
        "Classification: C2 - Internal",
        "Gerubriceerd: TLP:AMBER",
        "Mairie de Trifouillis\n5 place de la République",
        "This e-mail is confidential. If you are not the recipient, please delete it.",
        "Diese Nachricht ist vertraulich. Falls Sie nicht der Adressat sind, löschen Sie sie.",
    ],
)
def test_label_above_the_text_is_set_aside(label: str) -> None:
    text = "c4\n\nsay hello"
    parted = part(f"{label}\n\n{text}")
    assert (parted.text, parted.to_the_end) == (text, text)
    assert parted.lines_aside == tuple(label.split("\n"))


@pytest.mark.parametrize(
    "text",
    [
        "c4",
        "c4\nPublic",
        "Hello Ben,\n\nc4",
        "For only red and white\n\nc4",
        "c4\n\nBen, what about c5?",
        "c4\n\nI shall be away until Monday.",
        "c4\n\nWe could meet at example.org, or not.",
        "c4\n\nBen: c5 would have been better",
        "c4\n\nOr would you rather go via d4",
        "c4\n\nNo, take cell 5 instead.",
        "c4\n\nNote: I am outside until Monday.",
        "c4\n\nI caught a virus, so I was late.",
        "c4\n\nCall me at +49 621 6500 if c5 was better.",
        "Classification: Public",
        "c4\nRoom 5",
        "c4\nBen thinks so",
        "c4\nBen: c5!",
        "c4\n\nMy case is weak, says the recipient of this book.",
        "c4\n\nB.",
        "c4\n\nX.Y.",
        "c4\n\nRef, wake up!",
        "I was translated\n\nc4",
        "c2\n\nc4",
        "[hello]\n\nc4",
        "internal 2 or 3\n\nc4",
    ],
)
def test_other_text_remains(text: str) -> None:
    assert part(text, ["Ben Miller"]) == Parted(text, text)


@pytest.mark.parametrize(
    "block",
    [
        "Ben",
        "Ben Miller\nSenior Analyst\nC4 Building",
        "Room C3",
        "London E1 6AN",
        "Haus D5 · Sitz der Gesellschaft\nHRB 1234 B",
        "68159 Mannheim",
        "24/7 hotline +49 621 6500",
        "Hauptstraße 5",
        "rue de Rivoli 5\n75001 Paris",
        "Example Ltd | www.example.com",
        "This message is for the intended recipient only.",
        "This message is for the intended\nrecipient only.",
        "Dr. Ben Miller\nHead of C5 Unit",
        "B.M.",
        "B. M.",
        "Kim Lee | Meeting room C5 | ext. 4411",
        "m: 07700 900123 | d: 020 7946 0000",
        "Ticket: INC0012345 / Ref: C5-2026-0302",
        "Join Zoom Meeting\nMeeting ID: 123 456\nPasscode: c5",
        "BEGIN:VCARD\nN:Miller;Ben\nADR:;;C5;London\nEND:VCARD",
        "C2 General",
        "Übersetzt mit www.DeepL.com/Translator (kostenlose Version)",
        "Sent with Grammarly",
        "This email has been scanned for viruses by Mimecast Ltd.",
        "__________ Information from ESET Endpoint Antivirus, version C5 __________",
        "Ce message est confidentiel. Si vous n'êtes pas le destinataire, bureau C5, merci de le détruire.",
        "Este mensaje es confidencial. Si no es usted el destinatario, avise a la oficina C5.",
        "Конфиденциально: конфиденциальная информация для получателя в комнате C5",
        "株式会社サンプル\n〒100-0001 東京都千代田区1-2-3 C5ビル",
        "王小明\n北京市朝阳区C5座1203室\n电话：010-12345678",
        "ООО «Пример»\nул. Ленина, д. 5, корп. C5",
        "مبنى C5، شارع الملك",
    ],
)
def test_signature_below_the_text_is_set_aside(block: str) -> None:
    assert part(f"c4\n\n{block}\n\nand more", ["Ben Miller"]).text == "c4"


@pytest.mark.parametrize("below", ["Ben Miller\nRoom C3", "Ben", "Ben Miller\n\nExample Ltd, Haus D5"])
def test_writers_name_begins_a_signature_without_an_empty_line(below: str) -> None:
    assert part(f"c4\n{below}", ["Ben Miller"]).text == "c4"
    parted = part(f"Hello,\n\nc4\n{below}", ["Ben Miller"], is_own={"c4"}.__contains__)
    assert parted.text == "Hello,\n\nc4"


def test_label_needs_no_empty_line_below() -> None:
    assert part("OFFICIAL\nc4\n\nOFFICIAL").text == "c4"


def test_block_with_a_command_is_no_letterhead() -> None:
    text = "c4\nRoom C3\n\nand so on"
    assert part(text).text == "and so on"
    assert part(text, is_own={"c4"}.__contains__).text == text


def test_first_block_remains_if_all_look_like_stationery() -> None:
    assert part("12 Foo Street\n\nTel. +44 20 7946 0000").text == "12 Foo Street"


def test_usual_lines_are_set_aside_above_and_below() -> None:
    usual = {"Our motto: forward c5!", "Sent with care from d4"}
    text = "Our motto: forward c5!\n\nc4\ngood luck\nSent with care from d4"
    parted = part(text, is_usual=usual.__contains__)
    assert parted.text == "c4\ngood luck"
    assert parted.to_the_end == "c4\ngood luck\nSent with care from d4"
    assert parted.lines_aside == ("Our motto: forward c5!", "Sent with care from d4")


def test_letterhead_below_a_usual_line_is_set_aside() -> None:
    motto, letterhead = "Our motto: forward c5!", "12 Foo Street\nTel. +44 20 7946 0000"
    text = f"{motto}\n\n{letterhead}\n\nc4"
    assert part(text, is_usual={motto}.__contains__).text == "c4"


def test_usual_block_needs_several_usual_lines() -> None:
    usual = {"Ann Lee", "B2", "Bye"}
    for text, blocks in {
        "c4\n\nAnn Lee\nB2": [True],
        "c4\n\nB2": [False],
        "c4\nAnn Lee\nB2": [False],
        "Ann Lee\nB2\n\nc4\n\nBye": [True, False],
        "Ann Lee\nB2\nc4": [False],
    }.items():
        parted = part(text, is_usual=usual.__contains__)
        assert ([block.is_usual for block in parted.aside], parted.text) == (blocks, "c4")


def test_a_usual_line_between_other_lines_remains() -> None:
    text = "c4\nAnn Lee\nand so on"
    assert part(text, is_usual={"Ann Lee"}.__contains__).text == text
