"""The field in which a mail server writes the results of its checks (Authentication-Results, RFC 8601)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from mail.authentication.checks.wire import Malformed

_LONGEST = 20_000  # characters
_SERVER = re.compile(r'\s*"?([^\s";()]+)')
_LEXEME = re.compile(r'"(?:[^"\\]|\\.)*+"|[();="]|\s+|\\.?|[^\s"();=\\]+', re.DOTALL)
_LEXEME_OF_COMMENT = re.compile(r"[()]|\\.?|[^()\\]+", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True)
class Found:
    """The result of one method: `value` is "pass", "fail" …; `properties` has names like "header.d"."""

    method: str
    value: str
    properties: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Results:
    """All results of one server; `server` is its authserv-id. Everything is in lower case."""

    server: str
    found: tuple[Found, ...]

    def of(self, method: str) -> tuple[Found, ...]:
        """Return the results of one method, such as "dkim", which has one for each signature."""
        return tuple(result for result in self.found if result.method == method)


def server_of(value: str) -> str:
    """Return the authserv-id in a field's value, even if the rest is malformed."""
    found = _SERVER.match(value)
    return found[1].lower() if found else ""


def parse(value: str) -> Results:
    """Parse a field's value, for example `mx.example.org; dkim=pass header.d=example.com; spf=fail`.

    A malformed result is left out. Raises Malformed if a comment or a quoted word does not end: a sender may
    have put it there to hide the text that the server wrote after it.
    """
    if len(value) > _LONGEST:
        raise Malformed("The field is too long.")
    found = (_result(clause) for clause in _clauses(value)[1:])
    return Results(server_of(value), tuple(result for result in found if result is not None))


def _clauses(value: str) -> list[list[str]]:
    """Return the words between semicolons, without comments and quotes; an equals sign is a word."""
    clauses: list[list[str]] = [[]]
    depth = place = 0
    while lexeme := (_LEXEME_OF_COMMENT if depth else _LEXEME).match(value, place):
        text, place = lexeme[0], lexeme.end()
        if text in ("(", ")"):
            depth += 1 if text == "(" else -1
        elif depth > 0 or text.isspace():
            continue
        elif text == ";":
            clauses.append([])
        else:
            clauses[-1].append(_unquoted(text))
        if depth < 0:
            break
    if depth != 0:
        raise Malformed("A comment does not end, or does not begin.")
    return clauses


def _unquoted(text: str) -> str:
    if text == '"':
        raise Malformed("A quoted word does not end.")
    return _ESCAPED.sub(r"\1", text[1:-1]) if text[0] == '"' else text


def _result(words: list[str]) -> Found | None:
    """Parse `method=value`, then `name=value` any number of times, with the reason among them."""
    signs = [place for place, word in enumerate(words) if word == "="]
    pairs = [(words[place - 1].lower(), words[place + 1].lower()) for place in signs if place + 1 < len(words)]
    if not pairs or signs[0] != 1:
        return None
    properties: dict[str, str] = {}
    for name, value in pairs[1:]:
        properties.setdefault(name, value)
    # The method may be followed by the number of its version.
    return Found(pairs[0][0].partition("/")[0], pairs[0][1], properties)
