"""Detect names that look alike and names that mix scripts, as in Unicode Technical Standard 39.

`lookalikes.txt` is Unicode's table. The few libraries that include it do not compute skeletons, or need ICU.
"""

import unicodedata
from functools import cache

from server.settings import ROOT

_WRITTEN_TOGETHER = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
)
"""Scripts that one language uses together, with Latin: the mixtures that UTS 39 calls highly restricted."""


def shape(name: str) -> str:
    """Return a text that is equal for names that look alike, in any case. It is not for display.

    For example, “paypal” and “paypaI” with a capital I give the same text.
    """
    return _skeleton(_skeleton(name).casefold())


def mixes_scripts(name: str) -> bool:
    """Return whether a name mixes scripts that no language uses together, or contains an invisible letter.

    For example, “Ann” mixes two if its A is Cyrillic.
    """
    letters = (unicodedata.normalize("NFKD", sign)[0] for sign in name if sign.isalpha())
    # Modifier letters, such as the apostrophe of Hawaiian, belong to many scripts.
    own = [sign for sign in letters if unicodedata.category(sign) != "Lm"]
    if any("FILLER" in unicodedata.name(sign, "") for sign in own):
        return True
    scripts = {unicodedata.name(sign, "UNKNOWN").split()[0] for sign in own}
    return len(scripts) > 1 and not any(scripts <= together for together in _WRITTEN_TOGETHER)


def _skeleton(text: str) -> str:
    """Return the skeleton of UTS 39, section 4, which is equal for two texts that are easily confused."""
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", decomposed.translate(_prototypes()))


@cache
def _prototypes() -> dict[int, str]:
    """Return the replacement of each character in a skeleton."""
    lines = (ROOT / "server" / "accounts" / "lookalikes.txt").read_text(encoding="utf-8").splitlines()
    rows = (line.split(";") for line in lines if not line.startswith("#"))
    return {int(sign, 16): "".join(chr(int(code, 16)) for code in codes.split()) for sign, codes in rows}
