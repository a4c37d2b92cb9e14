"""Replaces unusual characters in lines, from any keyboard and email program, by plain ones.

Programs turn hyphens into dashes, `1/2` into one sign and lines into lists; keyboards of other scripts have
letters that look like Latin ones. Nothing here guesses: only signs with the same meaning, or that look the same
on paper, are treated as equal.
"""

from __future__ import annotations

import re
import unicodedata

_LONGEST = 1000  # characters of a line; longer ones remain unchanged

_SAME = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
        **dict.fromkeys("→⇒⟶➔➜➝➞►▶⟹", "->"),
        **dict.fromkeys("“”„‟«»‹›", '"'),
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("×✕", "x"),
        **dict.fromkeys("、，﹐،", ","),
        **dict.fromkeys("。．", "."),
        **dict.fromkeys("⁄∕／", "/"),
        **dict.fromkeys("＊∗", "*"),
    }
)
# Letters that look the same, or nearly the same and sound alike. A lower-case в or н looks like one letter and
# sounds like another, so it is replaced by neither.
_CYRILLIC = dict(zip("асеорхуіѕјһԁԛԝкмтАВСЕНІЈКМОРЅТХУ", "aceopxyisjhdqwkmtABCEHIJKMOPSTXY", strict=True))
_GREEK = dict(zip("αοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aoABEZHIKMNOPTYX", strict=True))
_SCRIPTS = {
    **{letter: (latin, "Cyrillic") for letter, latin in _CYRILLIC.items()},
    **{letter: (latin, "Greek") for letter, latin in _GREEK.items()},
}
_LATIN = str.maketrans({letter: latin for letter, (latin, _) in _SCRIPTS.items()})
DOUBTFUL_SIGNS = frozenset("❓❔❌❎✖✗✘🚫⛔👎🤔")
"""Pictures that express a question or a denial."""
_PLAIN_LETTERS = str.maketrans("ıłøđ", "ilod")
_WORD = re.compile(r"\w+")
_MARKER = re.compile(r"(?:[*•‣▪◦●○·-]|\(?\d{1,2}[.)])[ \t]+(?=\S)")
_EMPHASIS = re.compile(r"([*_~`]{1,3})(?=[^\s*_~`])(.*\S)\1")


def plain_line(line: str) -> tuple[str, tuple[str, ...]]:
    """Return the line in plain characters, with the replaced letters: ("a1 c3", ("а1 (Cyrillic а) as a1",)).

    Dashes, arrows, quotation marks, wide letters and the digits of other scripts become those of ASCII without
    a report, and pictures are left out, unless they may mean doubt. Letters of other scripts become the Latin
    ones that look like them only in words with Latin letters or digits, such as squares.
    """
    if line.isascii() or len(line) > _LONGEST or not DOUBTFUL_SIGNS.isdisjoint(line):
        return _unquoted(line.strip()), ()
    text = unicodedata.normalize("NFKC", line.translate(_SAME)).translate(_SAME)
    text = _unquoted(" ".join("".join(map(_plain_sign, text)).split()))
    changes: dict[str, str] = {}
    for word in dict.fromkeys(_WORD.findall(text)):
        latin = word.translate(_LATIN)
        if not word.isascii() and latin.isascii() and any(map(str.isascii, word)):
            changes[word] = latin
    text = _WORD.sub(lambda found: changes.get(found[0], found[0]), text)
    return text, tuple(f"{word} ({_foreign(word)}) as {latin}" for word, latin in changes.items())


def comparable(text: str) -> str:
    """Return the text without case, accents, spaces and signs, so that equal words compare as equal.

    For example, “Crème brûlée!” becomes “cremebrulee”. A text of more than 1,000 characters is returned
    unchanged.
    """
    if len(text) > _LONGEST:
        return text
    return "".join(filter(_is_letter, unicodedata.normalize("NFKD", text.casefold()))).translate(_PLAIN_LETTERS)


def without_marker(line: str) -> str:
    """Return the line without marks of a list item, bold, italic or code: `1. **c4**` becomes c4."""
    line = _MARKER.sub("", line.strip(), count=1) if _MARKER.match(line.strip()) else line.strip()
    emphasised = _EMPHASIS.fullmatch(line)
    return emphasised[2] if emphasised else line


def _unquoted(line: str) -> str:
    quoted = len(line) > 1 and line[0] == line[-1] and line[0] in "\"'"
    return line[1:-1].strip() if quoted else line


def _plain_sign(sign: str) -> str:
    if sign.isascii():
        return sign
    category = unicodedata.category(sign)
    if category == "Nd":
        return str(unicodedata.digit(sign))
    # Pictures, and signs that join and colour them.
    if category in ("So", "Sk", "Cf", "Me") or "\ufe00" <= sign <= "\ufe0f":
        return " " if category == "So" else ""
    return sign


def _is_letter(sign: str) -> bool:
    """Return whether it is a letter, a digit, or a vowel written as a sign beside a letter."""
    return sign.isalnum() or (unicodedata.category(sign) in ("Mn", "Mc") and not unicodedata.combining(sign))


def _foreign(word: str) -> str:
    """Return the letters of other scripts in a word, each named once: "Cyrillic а, с"."""
    found: dict[str, list[str]] = {}
    for letter in dict.fromkeys(letter for letter in word if letter in _SCRIPTS):
        found.setdefault(_SCRIPTS[letter][1], []).append(letter)
    return ", ".join(f"{script} {', '.join(letters)}" for script, letters in found.items())
