"""Emails as people write them: each sentence is played, kept as a possible message, or asked about."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from rules.registry import RULES
from server.commands.parser import words_beside
from server.errors import BadRequest
from server.interpretation.doubts import Doubts, PossibleMoves
from server.interpretation.reply_checks import check_clear, courtesy_among, moves_at, read_reply
from tests.support.rules.random_games import first_position

LANDING = "1 a1, 2 c1, 3 e1, 4 g1, 5 i1"
LINES = LANDING.replace(", ", "\n")
COURTESY = courtesy_among(["Ann", "Ben"])


@dataclass(frozen=True)
class Kept:
    """The result: the commands in order, and the other text `beside` them."""

    commands: tuple[str, ...]
    beside: str = ""


def does(*commands: str, beside: str = "") -> Kept:
    """Return the result of an email."""
    return Kept(commands, beside)


ASKS = None
"""Nothing is carried out, and Nabu asks the writer."""

MAILS: list[tuple[str, str, Kept | None]] = [
    # One line with courtesies.
    ("nebuchadnezzar", "c4", does("c4")),
    ("nebuchadnezzar", "C4!", does("C4")),
    ("nebuchadnezzar", "c4 please", does("c4")),
    ("nebuchadnezzar", "c4 :)", does("c4")),
    ("nebuchadnezzar", "move c4", does("c4")),
    ("nebuchadnezzar", "My move: c4", does("c4")),
    ("nebuchadnezzar", "c4, nice game", does("c4", beside="nice game")),
    ("nebuchadnezzar", "c4 (good luck)", does("c4", beside="good luck")),
    ("nebuchadnezzar", "I'll play c4, thanks Ben!", does("c4", beside="thanks Ben!")),
    ("nebuchadnezzar", "Ich spiele c4. Viel Glück!", does("c4", beside="Viel Glück!")),
    ("nebuchadnezzar", "Mon coup : c4, merci", does("c4", beside="merci")),
    ("nebuchadnezzar", "Mi jugada es c4. ¡Suerte!", does("c4", beside="¡Suerte!")),
    ("nebuchadnezzar", "Мой ход: c4, спасибо", does("c4", beside="спасибо")),
    ("nibble", "take red, please", does("take red")),
    ("nelaxtam", f"{LANDING}, thanks!", does(LANDING, beside="thanks!")),
    ("nebuchadnezzar", "draw, good game!", does("draw", beside="good game!")),
    # Text above and below.
    ("nebuchadnezzar", "Hi Ben,\n\nc4", does("c4")),
    ("nebuchadnezzar", "Hi Ben,\n\nc4\n\nBest regards,\nAnn", does("c4")),
    ("nebuchadnezzar", "c4\n\nSorry for the wait!", does("c4", beside="Sorry for the wait!")),
    ("nebuchadnezzar", "Sorry for the wait!\n\nc4", does("c4", beside="Sorry for the wait!")),
    ("nebuchadnezzar", "What a week that was!\n\nc4\n\nAnn", does("c4", beside="What a week that was!")),
    ("nebuchadnezzar", "c4\n\nHow are you?", does("c4", beside="How are you?")),
    ("nebuchadnezzar", "c4\nAnn's cat says hello", does("c4", beside="Ann's cat says hello")),
    ("nebuchadnezzar", "Hallo Ben,\n\nc4\ndraw\n\nGruß, Ann", does("c4", "draw")),
    ("nelaxtam", f"Hi!\n\n{LINES}\n\nHave fun", does(LINES, beside="Have fun")),
    ("nebuchadnezzar", "Hi Ben,\nc4\nsay That was close.\nBye!", does("c4", "say That was close.\nBye!")),
    ("nebuchadnezzar", "Hello,\n\nresign", does("resign")),
    ("nebuchadnezzar", "Hallo, Ben!\nc4 8-)", does("c4")),
    ("nebuchadnezzar", "Привет, Беня!\nc4", does("c4")),
    ("nebuchadnezzar", "Dear Mrs. Smith,\nc4", does("c4")),
    ("nebuchadnezzar", "Hi Ben, Glückwunsch!\nc4", does("c4", beside="Hi Ben, Glückwunsch!")),
    ("nebuchadnezzar", "Hi, Rex died.\n\nc4", does("c4", beside="Hi, Rex died.")),
    ("nebuchadnezzar", "draw\nsay c4 was mine.\nSee you", does("draw", "say c4 was mine.\nSee you")),
    # Text with another possible meaning.
    ("nebuchadnezzar", "c4?", ASKS),
    ("nebuchadnezzar", "not c4", ASKS),
    ("nebuchadnezzar", "should I play c4?", ASKS),
    ("nebuchadnezzar", "your c4 was great", ASKS),
    ("nebuchadnezzar", "thanks for c4", ASKS),
    ("nebuchadnezzar", "Ben: c4", ASKS),
    ("nebuchadnezzar", "if you play c4 I play d5", ASKS),
    ("nebuchadnezzar", "c4 or d5", ASKS),
    ("nebuchadnezzar", "c4\nd5", ASKS),
    ("nebuchadnezzar", "c4\n\nno, d5!", ASKS),
    ("nebuchadnezzar", "d5\n\nYour c4 was great.", ASKS),
    ("nebuchadnezzar", "Should I play this?\n\nc4", ASKS),
    ("nebuchadnezzar", "I would rather not play\nc4", ASKS),
    ("nebuchadnezzar", "c4\n?", ASKS),
    ("nebuchadnezzar", "say Hello Ben\nc4", ASKS),
    ("nebuchadnezzar", "c4\nsay Hello Ben\nresign", ASKS),
    ("nebuchadnezzar", "c4\nsay Hello Ben\nnote the corner is weak", ASKS),
    ("nebuchadnezzar", "Hello Ben, I am not sure.\n\nresign", ASKS),
    ("nebuchadnezzar", "c4\n\nThanks for the game!\n\nresign", ASKS),
    ("nebuchadnezzar", "c4 83", ASKS),
    ("nebuchadnezzar", "Hi Ben, wait\n\nc4", ASKS),
    ("nebuchadnezzar", "Hello, no!\n\nc4", ASKS),
    ("nebuchadnezzar", "Hi draw!\n\nc4", ASKS),
    ("nebuchadnezzar", "Hello resign\nshow", ASKS),
    ("nebuchadnezzar", "I was away!\n\nresign\n\nc4", ASKS),
    ("nebuchadnezzar", "say Hello Ben\nMy move: c4", ASKS),
    ("nebuchadnezzar", "draw\n\nWhat a week!\n\nc4, please", ASKS),
    ("nebuchadnezzar", "draw\nThat was close.\n- Give 1d", ASKS),
    ("nebuchadnezzar", "c4\n\nCan you help?\nhelp", does("c4", beside="Can you help?\nhelp")),
    ("nelaxtam", "Hi Ben,\n\n1 a1\n\nnot 2 c1", ASKS),
    # Punctuation that asks or denies.
    ("nebuchadnezzar", "c4 ❓", ASKS),
    ("nebuchadnezzar", "❌ c4", ASKS),
    ("nebuchadnezzar", "c4\n\n?", ASKS),
    ("nebuchadnezzar", "c4\n\nNo, wait!", ASKS),
    ("nebuchadnezzar", "c4\n\nJust kidding", ASKS),
    ("nebuchadnezzar", "c4\n\nNo rush!", does("c4", beside="No rush!")),
    ("nebuchadnezzar", "resign\n\nno", ASKS),
    ("nebuchadnezzar", "resign\nJust kidding!", ASKS),
    ("nebuchadnezzar", "resign\n\nI see no way out.", does("resign", beside="I see no way out.")),
    # A command addressed to a person.
    ("nebuchadnezzar", "Resign, Ben!", ASKS),
    ("nebuchadnezzar", "stop Ben", ASKS),
    ("nebuchadnezzar", "resign, thanks Ben!", does("resign", beside="thanks Ben!")),
    # An initial at the end that is also a colour.
    ("nibble", "Great game so far!\n\nA.", ASKS),
    ("nibble", "I am away and will move on Monday.\n\nCheers\nA", ASKS),
    ("nibble", "Hi Ben!\n\nA", ASKS),
    ("nibble", "A.", does("A.")),
]  # fmt: skip


ORDERS: list[tuple[int, str, Kept | None]] = [
    (1, "A sw, B e", does("A sw, B e")),
    (1, "A sw, B e\n\nSorry, I meant A se, B e", ASKS),
    (1, "A sw, B e\n\nPlease make that A se for me this time", ASKS),
    (1, "A sw, B e\n\nAnd because it is such a nice day: C se", ASKS),
    (1, "A sw, B e\n\nSorry, I meant to write hold", ASKS),
    (1, "A sw, B e\n\nKorrektur: ich meinte hold für alle", ASKS),
    (1, "A sw, B e\n\nA new week, and a sunny one!", does("A sw, B e", beside="A new week, and a sunny one!")),
    (0, "1 n, 2 n\n\nMy little brother plays 1 ne today", ASKS),
    (0, "1 n, 2 n\n\nMy brother is 20 today", does("1 n, 2 n", beside="My brother is 20 today")),
]  # fmt: skip
"""Orders by seat: the first seat's troops are numbers, the second seat's are letters."""


@pytest.mark.parametrize(("game_type", "text", "wanted"), MAILS, ids=[text for _, text, _ in MAILS])
def test_sentences_of_people_are_read_as_expected(game_type: str, text: str, wanted: Kept | None) -> None:
    rules = RULES[game_type]
    position = first_position(rules, rules.options({}))
    assert kept(text, moves_at(rules, position, 0)) == wanted


@pytest.mark.parametrize(("seat", "text", "wanted"), ORDERS, ids=[text for _, text, _ in ORDERS])
def test_sentences_beside_orders_are_read_as_expected(seat: int, text: str, wanted: Kept | None) -> None:
    rules = RULES["nelaxtam"]
    position = first_position(rules, rules.options({}))
    landings = LANDING, "A c12, B e12, C g12, D i12, E k12"
    begun = rules.play(
        position, {seat: rules.parse(position, seat, text) for seat, text in enumerate(landings)}
    )
    assert kept(text, moves_at(rules, begun, seat)) == wanted


@pytest.mark.parametrize(
    ("first", "doubt"),
    [
        ("c4", "No, wait!"),
        ("c4", "d5"),
        ("c4", "resign"),
        ("say Hello Ben", "d5"),
        ("say Hello Ben", "resign"),
    ],
)
def test_only_200_lines_below_are_checked(first: str, doubt: str) -> None:
    rules = RULES["nebuchadnezzar"]
    moves = moves_at(rules, first_position(rules, rules.options({})), 0)
    above = f"{first}\n" + "It is fine here.\n" * 199
    assert kept(above + doubt, moves) == ASKS
    assert kept(f"{above}It is fine here.\n{doubt}", moves) != ASKS


def kept(text: str, moves: PossibleMoves) -> Kept | None:
    """Return the result of an email."""
    doubts = Doubts(moves, COURTESY)
    read = read_reply(text, doubts)
    try:
        check_clear(read, doubts)
    except BadRequest:
        return ASKS
    return Kept(tuple(str(command) for command in read.commands), words_beside(read, COURTESY))
