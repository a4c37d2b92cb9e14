"""What others wrote, as it can be shown to administrators."""

import re

_TAG = re.compile(r"\+[^\s@<>]*(@?)")


def harmless(text: str) -> str:
    """What a stranger wrote must not command the administrator's terminal."""
    return "".join(sign if sign.isprintable() or sign in "\n\t" else "" for sign in text)


def escaped(text: object) -> str:
    """Return what others wrote with `\\x1b` for the character of that number: nothing commands a terminal."""
    return "".join(
        sign if sign.isprintable() or sign in "\n\t" else sign.encode("unicode_escape").decode()
        for sign in str(text)
    )


def in_a_line(text: str) -> str:
    """The same in one line."""
    return " ".join(harmless(text).split())


def untagged(text: str) -> str:
    """A text with the addresses in it bare of their tags: whoever has one of ours could write for a player."""
    return _TAG.sub(lambda found: found[1] or found[0], text)
