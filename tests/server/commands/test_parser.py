"""The parser of commands."""

from __future__ import annotations

import pytest

from server.commands.parser import read_commands
from server.commands.vocabulary import PLAIN, REPLY
from server.commands.word import When


def is_move(lines: str) -> bool:
    """Return True for points, orders of troops 1 and 2, and `add` with numbers, but not for numbers alone."""
    first, *others = lines.lower().replace(".", "").split()
    if first == "add":
        return all(word.isdigit() for word in others)
    return {first, *others} <= {"c4", "d5", "1", "2", "ne", "n"}


@pytest.mark.parametrize(
    ("text", "commands", "stopped_at"),
    [
        ("c4", ["c4"], ""),
        ("\n\n  C4  \n", ["C4"], ""),
        ("1 ne\n2 n\n\nBye", ["1 ne\n2 n"], "Bye"),
        ("add 7 8\n9", ["add 7 8\n9"], ""),
        ("? add 7 8\n9\nThanks!", ["? add 7 8\n9"], "Thanks!"),
        ("draw\n9", ["draw"], "9"),
        ("Hello\nc4", ["c4"], ""),
        ("Hi Ben,\n\nresign", ["resign"], ""),
        ("I am Ann\nresign", [], "I am Ann"),
        ("I am late.\n\nc4\ndraw", ["c4", "draw"], ""),
        ("I was away.\nsay hello", [], "I was away."),
        ("c4, please!", ["c4"], ""),
        ("draw, good game!", ["draw"], ""),
        ("Your draw, please", [], "Your draw, please"),
        ("1 ne\n2 n, thanks", ["1 ne\n2 n"], ""),
        ("c4\nThanks!\nd5", ["c4"], "Thanks!"),
        ("resign", ["resign"], ""),
        ("Resign.", ["resign"], ""),
        ("resign? never!", [], "resign? never!"),
        ("help me", [], "help me"),
        ("draw\nc4", ["draw", "c4"], ""),
        ("give 1d\nmute 2 days\nclaim", ["give 1d", "mute 2 days", "claim"], ""),
        ("give me a break", [], "give me a break"),
        ("Take back.\nTakeback", ["takeback", "takeback"], ""),
        ("take back what you said", [], "take back what you said"),
        ("more time 1d\nMoretime 2d", ["give 1d", "give 2d"], ""),
        ("more time, please", [], "more time, please"),
        ("client seed three wishes", ["luck three wishes"], ""),
        ("c4\ndraw", ["c4", "draw"], ""),
        ("if c4 then d5", ["if c4 then d5"], ""),
        (
            "c4\nIf c4 then d5, if n then c4\n* if d5 then c4",
            ["c4", "if c4 then d5, if n then c4", "if d5 then c4"],
            "",
        ),
        ("if c4 then\nd5", ["if c4 then\nd5"], ""),
        ("if c4\nthen d5", ["if c4\nthen d5"], ""),
        ("if c4 then add 7\n8\nThanks!", ["if c4 then add 7\n8"], "Thanks!"),
        ("if c4 then d5\nc4", ["if c4 then d5\nc4"], ""),
        ("if c4 then d5\n\nresign", ["if c4 then d5", "resign"], ""),
        ("if z9 d5", ["if z9 d5"], ""),
        ("If off.", ["if off"], ""),
        ("if off\nc4", ["if off", "c4"], ""),
        ("if off\nThanks!", ["if off"], "Thanks!"),
        ("c4\nIf you like, we can then play again", ["c4"], "If you like, we can then play again"),
        ("c4\nif", ["c4"], "if"),
        ("c4\nsay Hello\n\nFrom: me\nc5", ["c4", "say Hello\n\nFrom: me\nc5"], ""),
        ("Say: well played", ["say well played"], ""),
        ("? c4", ["? c4"], ""),
        ("?c4", ["? c4"], ""),
        ("? 1 ne\n2 n", ["? 1 ne\n2 n"], ""),
        ("? what now", [], "? what now"),
        ("rules", ["rules"], ""),
        ("rules nibble", ["rules nibble"], ""),
        ("rules are rules are", [], "rules are rules are"),
        ("accept", ["accept"], ""),
        ("accept my apologies", [], "accept my apologies"),
        ("give 3x", ["give 3x"], ""),
        ("mute -5d", ["mute -5d"], ""),
        ("give", ["give"], ""),
        ("give me a moment", [], "give me a moment"),
        ("", [], ""),
        ("“c4”", ["c4"], ""),
        ("3. c4", ["c4"], ""),
        ("**c4**", ["c4"], ""),
        ("1. ne", ["1. ne"], ""),
        ("* 1 ne\n* 2 n", ["1 ne\n2 n"], ""),
        ("ｄｒａｗ\nｃ４", ["draw", "c4"], ""),
        ("c4 🎲\n👍", ["c4"], "👍"),
        ('""', [], '""'),
        ("say “Hello”\n* с4", ["say “Hello”\n* с4"], ""),
    ],
)
def test_commands_of_a_reply_are_read(text: str, commands: list[str], stopped_at: str) -> None:
    read = read_commands(text, is_move, REPLY)
    assert [str(command) for command in read.commands] == commands
    assert read.stopped_at == stopped_at


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("register Ann Smith", ["register Ann Smith"]),
        ("Register: Ann Smith", ["register Ann Smith"]),
        ("zone: Europe/Berlin", ["zone Europe/Berlin"]),
        ("accept: #12", ["accept 12"]),
        ("games:", ["games"]),
        ("challenge ben nelaxtam size=10", ["challenge ben nelaxtam size=10"]),
        (
            "challenge ben nelaxtam\nsize=10\n time=mon 18:00 UTC",
            ["challenge ben nelaxtam\nsize=10\ntime=mon 18:00 UTC"],
        ),
        ("challenge ben nelaxtam\nBen = the best", ["challenge ben nelaxtam"]),
        ("games\nsize=10", ["games"]),
        ("accept #12.", ["accept 12"]),
        ("accept 99999999999999999999", []),
        ("accept \u00b2", ["accept 2"]),
        ("games\nhelp", ["games", "help"]),
        ("stop", ["stop"]),
        ("stop it", []),
        ("c4", []),
        ("resign", []),
    ],
)
def test_commands_of_an_email_to_the_plain_address_are_read(text: str, commands: list[str]) -> None:
    read = read_commands(text, lambda line: False, PLAIN)
    assert [str(command) for command in read.commands] == commands


def test_replaced_spellings_are_remembered() -> None:
    read = read_commands("с4\nd5\n? 1 nе\nluck с4", is_move, REPLY)
    assert [str(command) for command in read.commands] == ["c4\nd5", "? 1 ne", "luck с4"]
    assert [command.changes for command in read.commands] == [
        ("с4 (Cyrillic с) as c4",),
        ("nе (Cyrillic е) as ne",),
        (),
    ]


@pytest.mark.parametrize(
    ("text", "breaks_off"),
    [
        ("1 ne\n3 nw", True),
        ("1 ne\n2 n\nA se", True),
        ("c4\n(d5)", True),
        ("1 ne\n\n3 nw", False),
        ("1 ne\nThanks!", False),
        ("draw\n3 nw", False),
        ("if c4 then d5\n3 nw", True),
        ("3 nw", False),
    ],
)
def test_orders_that_are_only_partly_read_are_detected(text: str, breaks_off: bool) -> None:
    assert read_commands(text, is_move, REPLY).breaks_off == breaks_off


@pytest.mark.parametrize(("words", "is_read"), [(40, True), (41, False)])
def test_courtesy_is_recognized_in_lines_of_limited_length(words: int, is_read: bool) -> None:
    orders = " ".join(["c4"] * (words - 1))
    read = read_commands(f"{orders}, please", is_move, REPLY)
    assert read.moves == ([orders] if is_read else [])
    assert read_commands(f"{orders} d5", is_move, REPLY).moves == [f"{orders} d5"]


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (When.BEFORE, "accept counter decline luck"),
        (
            When.BEGUN,
            "? claim draw drop give hint history if moves note report resign say send series show takeback "
            "tell verify withdraw",
        ),
        (When.OVER, "analyse rematch"),
        (When.SEALED, "withdraw"),
        (When.SEVERAL, "tell"),
        (When.SERIES, "series"),
        (When.COACHED, "hint"),
        (When.IN_TURN, "if takeback"),
    ],
)
def test_command_is_listed_only_where_it_makes_sense(fact: When, words: str) -> None:
    listed = REPLY.help_by_usage(frozenset(When) - {fact})
    assert sorted({usage.split()[0] for usage in REPLY.help_by_usage() if usage not in listed}) == words.split()
