"""Labels, letterheads and signatures of offices, apart from what a person wrote."""

from __future__ import annotations

import pytest

from mail.reading.stationery import Block, Parted, part


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
    ],
)
def test_a_label_above_is_set_aside(label: str) -> None:
    text = "c4\n\nsay hello"
    assert part(f"{label}\n\n{text}") == Parted(text, text, (Block(tuple(label.split("\n")), False),))


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
        "12 Foo Street\n\nTel. +44 20 7946 0000",
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
    ],
)
def test_a_signature_below_is_set_aside(block: str) -> None:
    assert part(f"c4\n\n{block}\n\nand more", ["Ben Miller"]).text == "c4"


def test_usual_lines_are_set_aside_above_and_below() -> None:
    usual = {"Our motto: forward c5!", "Sent with care from d4"}
    text = "Our motto: forward c5!\n\nc4\ngood luck\nSent with care from d4"
    parted = part(text, is_usual=usual.__contains__)
    assert parted.text == "c4\ngood luck"
    assert parted.to_the_end == "c4\ngood luck\nSent with care from d4"
    assert parted.lines_aside == ("Our motto: forward c5!", "Sent with care from d4")


def test_only_a_block_of_several_usual_lines_apart_from_the_rest_is_usual_itself() -> None:
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
