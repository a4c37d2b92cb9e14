"""Make text from outside safe to show to administrators and in terminals."""

import re

_TAG = re.compile(r"\+[^\s@<>]*(@?)")


def harmless(text: str) -> str:
    """Return the text without control characters, which could command a terminal."""
    return "".join(sign if sign.isprintable() or sign in "\n\t" else "" for sign in text)


def escaped(text: object) -> str:
    """Return the text with control characters escaped, as in `\\x1b`, so that none commands a terminal."""
    return "".join(
        sign if sign.isprintable() or sign in "\n\t" else sign.encode("unicode_escape").decode()
        for sign in str(text)
    )


def in_a_line(text: str) -> str:
    """Return the text in one line, without control characters."""
    return " ".join(harmless(text).split())


def untagged(text: str) -> str:
    """Return the text with the tags removed from addresses, as a signed one lets people write for a player.

    For example, `play+a1@example.org` becomes `play@example.org`.
    """
    return _TAG.sub(lambda found: found[1] or found[0], text)
