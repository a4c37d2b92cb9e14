"""Which names look alike, as Unicode Technical Standard 39 tells it, and which are written in several scripts.

`lookalikes.txt` is Unicode's table; the few libraries that carry it do not compute skeletons, or need ICU.
"""

import unicodedata
from functools import cache

from server.settings import ROOT

_WRITTEN_TOGETHER = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
)
"""Scripts that one language mixes, with Latin: the only mixtures that UTS 39 calls highly restricted."""


def shape(name: str) -> str:
    """The same text for names that look alike, in upper or lower case; not to be shown."""
    return _skeleton(_skeleton(name).casefold())


def mixes_scripts(name: str) -> bool:
    """Whether a name has letters of scripts that are not written together, or an invisible one."""
    letters = (unicodedata.normalize("NFKD", sign)[0] for sign in name if sign.isalpha())
    # The letters that many scripts share are modifiers, such as the apostrophe of Hawaiian.
    own = [sign for sign in letters if unicodedata.category(sign) != "Lm"]
    if any("FILLER" in unicodedata.name(sign, "") for sign in own):
        return True
    scripts = {unicodedata.name(sign, "UNKNOWN").split()[0] for sign in own}
    return len(scripts) > 1 and not any(scripts <= together for together in _WRITTEN_TOGETHER)


def _skeleton(text: str) -> str:
    """The skeleton of UTS 39, section 4: the same for two texts that are easily confused."""
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", decomposed.translate(_prototypes()))


@cache
def _prototypes() -> dict[int, str]:
    """What stands for each character in a skeleton."""
    lines = (ROOT / "server" / "accounts" / "lookalikes.txt").read_text(encoding="utf-8").splitlines()
    rows = (line.split(";") for line in lines if not line.startswith("#"))
    return {int(sign, 16): "".join(chr(int(code, 16)) for code in codes.split()) for sign, codes in rows}
