"""Removal of Nabu's own secrets, such as reply addresses, from texts that other people will read.

Email programs write the sender's address above a reply ("Ann <play+TOKEN@DOMAIN> wrote:"), and players paste
whole emails. Anyone who knows a reply address can play with it. So Nabu also looks for secrets in upper case,
wide letters, percent-encoding, quoted-printable, HTML entities and base64, in combinations of these, and broken
by line ends or invisible characters.

A text is searched in several views. Each is as long as the text, so that a place in a view is the same place in
the text: padding follows each character that a view decodes.
"""

import html
import re
import unicodedata
from base64 import b64decode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from server.store.tokens import LENGTH, TokenSigner

ADDRESS, LINK, API_TOKEN = "[address removed]", "[link removed]", "[token removed]"
_SHORTEST = 35
"""Characters of the shortest secret."""
_MARGIN = 1000
"""Characters searched beyond the limit, so that no part of a secret remains before it."""
_DEEPEST = 2
"""Levels of base64 that are decoded."""
_MOST_ROUNDS = 4
"""Levels of escapes that are decoded."""
_GAP, _END, _PAD = "\0", "\1", "\2"
"""Replace blanks and invisible characters, line ends, and the rest of an escape in views."""
_SKIP = f"[{_GAP}{_END}{_PAD}]*"
_LINE_ENDS = "\r\n\v\f\x85\u2028\u2029"
_INVISIBLE = ("Cc", "Cf", "Me", "Mn", "Zs")
_FILLERS = "\u115f\u1160\u3164\uffa0"
"""Invisible letters."""
_RANGES = ((0, 0x3400), (0xFB00, 0x10000), (0x1D400, 0x1D800), (0x1F100, 0x1F200), (0xE0000, 0xE0200))
"""Code points of invisible characters and of other forms of ASCII characters."""


def _folded() -> dict[int, str]:
    folded = {}
    for code in (code for start, end in _RANGES for code in range(start, end)):
        sign = chr(code)
        plain = unicodedata.normalize("NFKC", sign)
        if sign in _LINE_ENDS:
            folded[code] = "\n"
        elif unicodedata.category(sign) in _INVISIBLE or sign in _FILLERS:
            folded[code] = _GAP
        elif len(plain) == 1 and plain.isascii() and plain != sign:
            folded[code] = plain
    return folded


_FOLDED = _folded()
_LINE_END = re.compile(rf"(?:=[{_GAP}{_PAD}]*)?[\n{_END}][\n{_GAP}{_END}{_PAD}>|]*")
"""A line end with the soft break of quoted-printable before it and quote marks after it."""
_ESCAPE = (
    rf"{{0}}{_SKIP}[0-7]{_SKIP}[0-9A-Fa-f]"
    rf"|{{0}}{_SKIP}[C-Fc-f]{_SKIP}[0-9A-Fa-f](?:{_SKIP}{{0}}{_SKIP}[89ABab]{_SKIP}[0-9A-Fa-f]){{{{1,3}}}}"
    rf"|{{0}}{_SKIP}[89A-Fa-f]{_SKIP}[0-9A-Fa-f]"
)
"""A byte or a UTF-8 character in hexadecimal digits, each byte after a sign."""
_ENTITY = (
    rf"&{_SKIP}#{_SKIP}[Xx]{_SKIP}(?:[0-9A-Fa-f]{_SKIP}){{1,6}};?"
    rf"|&{_SKIP}#{_SKIP}(?:[0-9]{_SKIP}){{1,7}};?"
    rf"|&{_SKIP}(?:[A-Za-z]{_SKIP}){{2,24}};"
)
_OF_THE_WEB = re.compile(f"{_ESCAPE.format('%')}|{_ENTITY}")
_OF_ALL = re.compile(f"{_ESCAPE.format('[%=]')}|{_ENTITY}")
_NO_DIGIT = re.compile(r"[^0-9A-Fa-f]")
_SKIPPED = re.compile(f"[{_GAP}{_END}{_PAD}]")
_TOKEN = re.compile(rf"[A-Za-z2-7]{{{LENGTH},}}")
_RETURN = re.compile(r"bounces-([A-Za-z0-9]{32})")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{47,}")
_UTF8 = re.compile(rb"(?:[\t\n\r -~]|[\xc2-\xdf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}){35,}")
_SIGNED = r"[A-Za-z0-9_-]{27}"
_LINKS = re.compile(
    r"(?:https?://[A-Za-z0-9.:\[\]-]+)?/"
    rf"(?:enter/\.?[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{{6}}\.{_SIGNED}"
    rf"|(?:confirm|undo|unwatch)/\.?[A-Za-z0-9_-]+\.{_SIGNED}"
    rf"|stop/[0-9]+\.{_SIGNED}"
    r"|feeds/[A-Za-z0-9_-]{32}/(?:games\.atom|deadlines\.ics))",
    re.IGNORECASE,
)
"""The links of `accounts.login.links` and `web.feeds`, by the length of their signatures and keys."""
_API_TOKEN = re.compile(r"nabu_[A-Za-z0-9_-]{43}", re.IGNORECASE)
_BEFORE = re.compile(r"[A-Za-z0-9._-]{1,64}(?:[+＋]|%2B|=2B|&#43;|&plus;)\Z", re.IGNORECASE)
_AFTER = re.compile(r"(?:[@＠]|%40|=40|&#64;|&commat;)[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*", re.IGNORECASE)
_MOST_BEFORE = 80


@dataclass(frozen=True, order=True)
class _Found:
    """A secret in a text, and the mark that replaces it."""

    start: int
    end: int
    mark: str


class Redactor:
    """Finds and replaces Nabu's secrets in texts."""

    def __init__(self, secrets: Sequence[str]) -> None:
        """`secrets`: the administrator's keys, the current one first."""
        self._tokens = TokenSigner(secrets)

    def redact(self, text: str, most: int) -> str:
        """Return the first `most` characters of a text, with a short mark in place of each secret.

        Secrets are tokens of reply addresses and return paths that one of the keys has signed, links that log
        in, confirm, stop emails, stop watching or lead to private feeds, and API tokens.
        """
        if len(text) < _SHORTEST:
            return text[:most]
        text = text[: most + _MARGIN]
        pieces, end = [], 0
        for found in sorted(self._found(text, _DEEPEST)):
            whole = _with_address(text, found)
            if whole.start >= most:
                break
            if whole.start >= end:
                pieces += [text[end : whole.start], whole.mark]
            end = max(end, whole.end)
        return "".join([*pieces, text[end:most]])[:most]

    def _found(self, text: str, depth: int) -> Iterator[_Found]:
        for view in _views(text):
            for each in self._in_view(view, depth):
                yield _Found(view.places[each.start], view.end(each.end), each.mark)

    def _in_view(self, view: "_View", depth: int) -> Iterator[_Found]:
        """Yield the secrets in a view, by their places among its letters."""
        for run in _TOKEN.finditer(view.letters):
            first, last = run.start(), run.end() - LENGTH
            edges = view.edges
            starts = (
                start - first
                for start in range(first, last + 1)
                if start in edges or start + LENGTH in edges or start in (first, last)
            )
            for start in self._tokens.starting_at(run[0].lower(), starts):
                yield _Found(first + start, first + start + LENGTH, ADDRESS)
        for path in _RETURN.finditer(view.letters):
            if self._tokens.read_return(path[1].lower()):
                yield _Found(*path.span(), ADDRESS)
        for pattern, mark in ((_LINKS, LINK), (_API_TOKEN, API_TOKEN)):
            yield from (_Found(*each.span(), mark) for each in pattern.finditer(view.letters))
        for run in _BASE64.finditer(view.letters) if depth else ():
            for each in self._in_base64(run[0], depth - 1):
                yield _Found(run.start() + each.start, run.start() + each.end, each.mark)

    def _in_base64(self, letters: str, depth: int) -> Iterator[_Found]:
        """Yield the secrets in base64 that may begin at any of the first four letters."""
        for first in range(4):
            length = len(letters) - first
            length -= length % 4 == 1
            part = letters[first : first + length] + "=" * (-length % 4)
            for written in _UTF8.finditer(b64decode(part, b"-_" if "-" in part or "_" in part else None)):
                text = written[0].decode()
                bytes_before = list(accumulate((len(sign.encode()) for sign in text), initial=written.start()))
                for each in self._found(text, depth):
                    start, end = bytes_before[each.start], bytes_before[each.end]
                    yield _Found(first + start * 4 // 3, first - (-end * 4 // 3), each.mark)


class _View:
    """A text, partly decoded: its visible `letters`, and their `places` in the text."""

    def __init__(self, signs: str) -> None:
        self._signs = signs
        self.letters = _SKIPPED.sub("", signs)
        self.places: Sequence[int] = range(len(signs))
        if len(self.letters) < len(signs):
            self.places = [place for place, sign in enumerate(signs) if sign > _PAD]

    @cached_property
    def edges(self) -> frozenset[int]:
        """The numbers of the letters that follow a blank, an invisible character or a line end."""
        signs = self._signs
        return frozenset(i for i, place in enumerate(self.places) if place and signs[place - 1] in _GAP + _END)

    def end(self, letters: int) -> int:
        """Return the place in the text at which the first `letters` letters end."""
        end = self.places[letters - 1] + 1
        while self._signs[end : end + 1] == _PAD:
            end += 1
        return end


def _views(text: str) -> list[_View]:
    """Return the text as it is, with the escapes of the web decoded, and with all escapes decoded."""
    plain = _joined(text.translate(_FOLDED))
    of_the_web = _unescaped(plain, _OF_THE_WEB) if "%" in plain or "&" in plain else plain
    of_all = _unescaped(plain, _OF_ALL) if "=" in of_the_web else of_the_web
    return [_View(signs) for signs in dict.fromkeys((plain, of_the_web, of_all))]


def _joined(view: str) -> str:
    return _LINE_END.sub(lambda end: _END * len(end[0]), view)


def _unescaped(view: str, escapes: re.Pattern[str]) -> str:
    for _ in range(_MOST_ROUNDS):
        before, view = view, _joined(escapes.sub(_meant, view))
        if view == before:
            break
    return view


def _meant(escape: re.Match[str]) -> str:
    """Return the character that an escape stands for, padded to the length of the escape."""
    written = _SKIPPED.sub("", escape[0])
    sign = html.unescape(written) if written[0] == "&" else _of_bytes(bytes.fromhex(_NO_DIGIT.sub("", written)))
    sign = sign.translate(_FOLDED)
    return sign + _PAD * (len(escape[0]) - 1) if len(sign) == 1 else escape[0]


def _of_bytes(written: bytes) -> str:
    try:
        return written.decode()
    except UnicodeDecodeError:
        return written.decode("latin-1")


def _with_address(text: str, found: _Found) -> _Found:
    """Extend a token to the whole address around it, if that is written plainly."""
    if found.mark != ADDRESS:
        return found
    before = _BEFORE.search(text, max(0, found.start - _MOST_BEFORE), found.start)
    after = _AFTER.match(text, found.end)
    return _Found(before.start() if before else found.start, after.end() if after else found.end, ADDRESS)
