"""Find the legal moves and commands that occur in a text, or are spelled most like it."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from rules.game import Rules
from server.commands.arguments import NOTHING
from server.commands.vocabulary import REPLY
from server.interpretation.doubts import is_doubtful
from server.interpretation.game_phrases import DRAWN, IN_PROSE
from server.interpretation.phrases import ENDING

MOST = 3
"""The most suggestions."""
_LISTED = 300
_LIKE = 0.5  # of the letters, so that one of the two of a square may be wrong
_LONGEST = 100  # characters of a text that can be a misspelling
_LIKE_WORD = 0.7  # of the letters of a word
_SHORTEST_WORD = 4
_FARTHEST = 2  # letters by which a misspelled command may be longer or shorter
_WORDS = re.compile(r"[\w/*-]+")
_SWAPPED = re.compile(r"([0-9]{1,2})[ -]?([a-z])")
_PIECES = re.compile(r"[,;\n]")


def nearest(rules: Rules[Any, Any], position: Any, seat: int, text: str) -> list[str]:
    """Return at most three legal moves and commands that are spelled similarly to a text.

    Commands that end something, such as `resign`, are never among them.
    """
    text = text.strip()
    if len(text) > _LONGEST:
        return []
    if is_doubtful(text):
        return moves_like(rules, position, seat, text)
    alone = [
        word.word
        for word in REPLY
        if word.takes is NOTHING and word.word not in ENDING and abs(len(word.word) - len(text)) <= _FARTHEST
    ]
    return [*moves_like(rules, position, seat, text), *get_close_matches(text.lower(), alone, 1)][:MOST]


def moves_like(rules: Rules[Any, Any], position: Any, seat: int, text: str) -> list[str]:
    """Return at most three legal moves of `seat` that are spelled similarly to a text."""
    text = text.strip()
    if len(text) > _LONGEST:
        return []
    listing = rules.listing(position, limit=_LISTED) if seat in rules.to_move(position) else []
    if isinstance(listing, list):
        words = f" {' '.join(_WORDS.findall(text.lower()))} "
        moves = [move for move in listing if f" {move} " in words][:MOST]
        moves = moves or [move for move in listing if move == _swapped(text)]
        moves = moves or [
            move for move in respelled(rules, position, text) if rules.allows(position, seat, move)
        ]
        moves = moves or get_close_matches(text.lower(), listing, MOST, _LIKE)
    else:
        moves = _orders(listing.get(str(seat), {}), [piece.strip() for piece in _PIECES.split(text)])
    return [move for move in moves if rules.allows(position, seat, move)][:MOST]


def respelled(rules: Rules[Any, Any], position: Any, text: str) -> Iterator[str]:
    """Yield a text with one word replaced by a similar one below the board: “take purple” for “take purpel”."""
    diagram = rules.diagram(position)
    known = {word.lower() for line in (*diagram.captions, *diagram.signs) for word in _WORDS.findall(line)}
    words = text[:_LONGEST].lower().split()
    for place, word in enumerate(words):
        if len(word) >= _SHORTEST_WORD and word not in known:
            for like in get_close_matches(word, known, 1, _LIKE_WORD):
                yield " ".join([*words[:place], like, *words[place + 1 :]])


def commands_in(text: str, state: str) -> list[str]:
    """Return the commands whose words occur in a text, if they make sense in a game in this state.

    For example, “I think I will resign now” contains `resign`. A text that denies or doubts contains none, and
    a question none that ends something. Before the game starts, all commands are returned if the text contains
    none.
    """
    words = set(_WORDS.findall(DRAWN.sub("", text.lower())))
    possible = [word for word in IN_PROSE.get(state, ()) if not ("?" in text and word.word in ENDING)]
    if any(map(is_doubtful, text.splitlines())):
        words = set()
    occurring = [word.word for word in possible if not words.isdisjoint((word.word, *word.synonyms))]
    return occurring or ([word.word for word in possible] if state == "invited" else [])


def _swapped(text: str) -> str:
    """Return the name of a square with its letter first: "c4" for "4c"; "" for any other text."""
    found = _SWAPPED.fullmatch(text.lower())
    return f"{found[2]}{found[1]}" if found else ""


def _orders(table: dict[str, list[str]], written: list[str]) -> list[str]:
    """Yield complete sets of orders: the written ones with one order corrected."""
    known = {
        f"{piece} {order}".lower(): f"{piece} {order}" for piece, orders in table.items() for order in orders
    }
    return [
        ", ".join([*written[:place], known[right], *written[place + 1 :]])
        for place, order in enumerate(written)
        for right in get_close_matches(order.lower(), known, MOST, _LIKE)
        if order.lower() not in known
    ]
