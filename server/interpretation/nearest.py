"""Find the legal moves and commands that occur in a text, or are spelled most like it."""

import re
from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher, get_close_matches
from functools import cache
from typing import Any

from rules.game import Rules
from server.commands.courtesy import polite_words
from server.commands.game_words import ACCEPT, DECLINE
from server.commands.vocabulary import REPLY
from server.interpretation.agreement import Stance, direction, words_known
from server.interpretation.doubts import DOUBTFUL, is_doubtful
from server.interpretation.game_phrases import DRAWN, IN_PROSE
from server.interpretation.phrases import ENDING, IN_REPLIES

MOST = 3
"""The most suggestions."""
_LISTED = 300
_LIKE = 0.5  # of the letters, so that one of the two of a square may be wrong
_LONGEST = 100  # characters of a text that can be a misspelling
_LIKE_WORD = 0.7  # of the letters of a word
_SHORTEST_WORD = 4
_LIKE_COMMAND = 0.75
_NEAR = 0.8
_LONG = 6  # letters
_LETTERS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_NEAR_COLOURS = "read reed pure purse pin lie tea greed greet"
"""Ordinary words that are spelled similarly to a colour or another word of a board."""
_WORDS = re.compile(r"[\w/*-]+")
_SWAPPED = re.compile(r"([0-9]{1,2})[ -]?([a-z])")
_PIECES = re.compile(r"[,;\n]")
_PARTS = re.compile(r"[,;\n]|\b(?:and|und|et|y|e|en|i|och)\b")
"""The signs and words between the parts of a move."""
_IF = re.compile(r"\b(?:if|in case|when|wenn|falls|si|se|jeśli|hvis)\b", re.IGNORECASE)
"""The words before a condition, which names moves of others and answers to them."""


def commands_like(text: str) -> list[str]:
    """Return the command without an argument, or the phrase of one word for it, that a text misspells, if any.

    Phrases, and commands that end something, must be spelled nearly the same: “resing” is `resign`.
    """
    said = text.strip(" .!").lower()
    if len(said) > _LONGEST or is_doubtful(text) or _is_prose(said):
        return []
    commands = {word for word in REPLY.spelled if REPLY.spelled[word].takes.is_closed}
    phrases = _long_phrases()
    for word in get_close_matches(said, [*commands, *phrases], MOST, _LIKE_COMMAND):
        is_plain = word in commands and word not in ENDING
        if word[0] == said[0] and (is_plain or _alike(said, word) >= _NEAR):
            return [phrases.get(word, word)]
    return []


@cache
def _long_phrases() -> dict[str, str]:
    """Return the long words that stand for commands of prose, with these: “surrender” is `resign`."""
    in_prose = {word.word for words in IN_PROSE.values() for word in words}
    found = IN_REPLIES.single_words.items()
    return {word: meant[0] for word, meant in found if len(word) >= _LONG and len(in_prose & {*meant}) == 1}


def moves_like(rules: Rules[Any, Any], position: Any, seat: int, text: str) -> list[str]:
    """Return at most three legal moves of `seat` that are spelled similarly to a text, up to its first “if”."""
    text = _IF.split(text)[0].strip()
    if not text or len(text) > _LONGEST:
        return []
    listing = rules.listing(position, limit=_LISTED) if seat in rules.to_move(position) else []
    legal = listing if isinstance(listing, list) else _listed_orders(listing.get(str(seat), {}))
    if legal and (written := _without_prose(rules, position, seat, text, legal)):
        return written[:MOST]
    if isinstance(listing, list):
        words = f" {' '.join(_WORDS.findall(text.lower()))} "
        moves = [move for move in listing if f" {move} " in words][:MOST]
        moves = moves or [move for move in listing if move == _swapped(text)]
        moves = moves or [
            move for move in respelled(rules, position, text) if rules.allows(position, seat, move)
        ]
        moves = moves or [
            move for move in get_close_matches(text.lower(), listing, MOST, _LIKE) if _may_be(text, move)
        ]
    else:
        moves = _orders(legal, [piece.strip() for piece in _PIECES.split(text)])
    return [move for move in moves if rules.allows(position, seat, move)][:MOST]


def _without_prose(
    rules: Rules[Any, Any], position: Any, seat: int, text: str, legal: Sequence[str]
) -> list[str]:
    """Return the legal moves that a text names: `add k10 l10 m10` for “Put my marbles on K10, L10 and M10”.

    `legal` are some of the legal moves, for their words.
    """
    known = {word for move in legal for word in _WORDS.findall(move)}
    parts = [" ".join(_words_of_moves(part, known)) for part in _PARTS.split(text)]
    begins = ["", *(pick.text for pick in rules.choices(position, seat).picks if not pick.place)]
    for sign in (", ", " "):
        written = sign.join(filter(None, parts))
        moves = [f"{begin} {written}".strip() for begin in begins] if any(map(str.isdigit, written)) else []
        if allowed := [move for move in moves if rules.allows(position, seat, move)]:
            return allowed
    return []


def _words_of_moves(text: str, known: Collection[str]) -> Iterator[str]:
    """Yield the words with a digit, and those that are `known`; single letters only with the same case."""
    for word in _WORDS.findall(text):
        if word in known:
            yield word
        elif any(map(str.isdigit, word)) or (len(word) > 1 and word.lower() in known):
            yield word.lower()


def _may_be(written: str, meant: str) -> bool:
    """Return True if a text may be another one, misspelled: not prose, nor a word that is very different."""
    said = written.lower()
    if _is_prose(said) or not said.isalpha():
        return not _is_prose(said)
    return said[0] == meant[0] and (sorted(said) == sorted(meant) or _alike(said, meant) >= _NEAR)


def _alike(one: str, other: str) -> float:
    """Return the part of the letters that two words have in common, from 0 to 1."""
    return SequenceMatcher(None, one, other).ratio()


def _is_prose(text: str) -> bool:
    """Return True if a text consists of words that people use in any email: they are not misspelled."""
    words = [word.lower() for word in _LETTERS.findall(text)]
    return bool(words) and not any(map(str.isdigit, text)) and _ordinary().issuperset(words)


@cache
def _ordinary() -> frozenset[str]:
    return polite_words() | words_known() | DOUBTFUL | IN_REPLIES.words_used | frozenset(_NEAR_COLOURS.split())


def respelled(rules: Rules[Any, Any], position: Any, text: str) -> Iterator[str]:
    """Yield a text with one word replaced by a similar one below the board: “take purple” for “take purpel”."""
    diagram = rules.diagram(position)
    known = {word.lower() for line in (*diagram.captions, *diagram.signs) for word in _WORDS.findall(line)}
    words = text[:_LONGEST].lower().split()
    for place, word in enumerate(words):
        if len(word) >= _SHORTEST_WORD and word not in known:
            likely = get_close_matches(word, known, 1, _LIKE_WORD)
            for like in (each for each in likely if _may_be(word, each)):
                yield " ".join([*words[:place], like, *words[place + 1 :]])


def commands_in(text: str, state: str) -> list[str]:
    """Return the commands whose words occur in a text, if they make sense in a game in this state.

    For example, “I think I will resign now” contains `resign`. A text that denies or doubts contains none, and
    a question none that ends something. Before the game starts, a text may agree or refuse in other words; all
    commands are returned if that is not clear.
    """
    side = direction(text, invited=True) if state == "invited" else None
    if side is not None:
        return [str(DECLINE if side is Stance.REFUSES else ACCEPT)]
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


def _listed_orders(table: dict[str, list[str]]) -> list[str]:
    return [f"{piece} {order}" for piece, orders in table.items() for order in orders]


def _orders(legal: Sequence[str], written: list[str]) -> list[str]:
    """Return complete sets of orders: the written ones with one order corrected."""
    known = {order.lower(): order for order in legal}
    return [
        ", ".join([*written[:place], known[right], *written[place + 1 :]])
        for place, order in enumerate(written)
        for right in get_close_matches(order.lower(), known, MOST, _LIKE)
        if order.lower() not in known and _may_be(order, right)
    ]
