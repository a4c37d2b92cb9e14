"""The syntax and the macros of the record that lists the senders of a domain (SPF, RFC 7208)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network
from urllib.parse import quote

_LONGEST = 4000  # characters
_LONGEST_NAME = 253
_MODIFIER = re.compile(r"([a-z][a-z0-9_.-]*)=(.*)", re.IGNORECASE | re.DOTALL)
_BITS = r"(0|[1-9]\d{0,2})"
_DIRECTIVE = re.compile(
    rf"([-+?~]?)(all|include|a|mx|ptr|ip4|ip6|exists)(?::(.*?))?(?:/{_BITS})?(?://{_BITS})?",
    re.IGNORECASE | re.DOTALL,
)
_RESULTS = {"": "pass", "+": "pass", "-": "fail", "~": "softfail", "?": "neutral"}

_MACRO = re.compile(r"%\{([slodiphv])(\d*)(r?)([-.+,/_=]*)\}|%([%_-])", re.IGNORECASE)
_LITERAL = re.compile(r"[!-$&-~]*")
_TOP_LABEL = re.compile(r"(?!\d+\Z)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?", re.IGNORECASE)
_SIGNS = {"%": "%", "_": " ", "-": "%20"}


class Wrong(ValueError):
    """Raised for a record that breaks the rules, so that its domain has published nothing usable."""


@dataclass(frozen=True)
class Mechanism:
    """One way to match an address, and the `result` for addresses that match.

    `domain` still has its macros and is "" for the domain itself; `network` is the network that ip4 and ip6
    name; of the addresses that a and mx find, only `bits4` or `bits6` bits count.
    """

    kind: str
    result: str
    domain: str = ""
    network: IPv4Network | IPv6Network | None = None
    bits4: int = 32
    bits6: int = 128


@dataclass(frozen=True)
class SpfRecord:
    """The ways to match an address, in order; `redirect` is the domain to ask if none does, or ""."""

    mechanisms: tuple[Mechanism, ...]
    redirect: str


def parse(text: str) -> SpfRecord:
    """Parse what follows `v=spf1`, such as `ip4:192.0.2.0/24 a:mail.example.org -all`. Raises Wrong."""
    if len(text) > _LONGEST:
        raise Wrong("The record is too long.")
    mechanisms: list[Mechanism] = []
    modifiers: dict[str, str] = {}
    for term in filter(None, text.split(" ")):
        if modifier := _MODIFIER.fullmatch(term):
            _modify(modifiers, modifier[1].lower(), modifier[2])
        else:
            mechanisms.append(_mechanism(term))
    return SpfRecord(tuple(mechanisms), modifiers.get("redirect", ""))


def expand(text: str, value: Callable[[str], str]) -> str:
    """Return the domain name for a text with macros; `value` gives the value of a macro letter.

    For example, `%{i}._spf.%{d}` becomes `192.0.2.3._spf.example.org`.
    """
    name = _MACRO.sub(lambda macro: _expanded(macro, value), text).removesuffix(".")
    # If the name is too long, its first labels are left out.
    return name if len(name) <= _LONGEST_NAME else name[-_LONGEST_NAME - 1 :].partition(".")[2]


def _modify(modifiers: dict[str, str], name: str, value: str) -> None:
    if not _is_macro_string(value):
        raise Wrong(f"{name} is malformed.")
    if name in ("redirect", "exp"):
        if name in modifiers:
            raise Wrong(f"{name} is there twice.")
        _check_domain(value)
    modifiers[name] = value


def _mechanism(term: str) -> Mechanism:
    read = _DIRECTIVE.fullmatch(term)
    if not read:
        raise Wrong(f"There is no mechanism {term}.")
    sign, kind, argument, bits, bits6 = read.groups()
    kind, result = kind.lower(), _RESULTS[sign]
    if kind in ("ip4", "ip6"):
        return Mechanism(kind, result, network=_network(kind, argument, bits, bits6))
    if kind not in ("a", "mx") and (bits or bits6):
        raise Wrong(f"{kind} takes no length.")
    if (kind == "all" and argument is not None) or (kind in ("include", "exists") and argument is None):
        raise Wrong(f"{kind} needs a domain, or takes none.")
    if argument is not None:
        _check_domain(argument)
    mechanism = Mechanism(kind, result, argument or "", None, int(bits or 32), int(bits6 or 128))
    if mechanism.bits4 > 32 or mechanism.bits6 > 128:
        raise Wrong("No address has that many bits.")
    return mechanism


def _network(kind: str, argument: str | None, bits: str | None, bits6: str | None) -> IPv4Network | IPv6Network:
    if argument is None or bits6:
        raise Wrong(f"{kind} needs an address, and one length at most.")
    try:
        if kind == "ip4":
            return IPv4Network(f"{argument}/{bits or 32}", strict=False)
        return IPv6Network(f"{argument}/{bits or 128}", strict=False)
    except ValueError:
        raise Wrong(f"{argument} is not an address.") from None


def _check_domain(text: str) -> None:
    """Raise Wrong unless it ends in a macro or in a label that could be a top-level domain."""
    name = text.removesuffix(".")
    rest, dot, label = name.rpartition(".")
    ends_well = text.endswith("}") or (rest and dot and _TOP_LABEL.fullmatch(label))
    if not ends_well or not _is_macro_string(text):
        raise Wrong(f"{text} is not a domain.")


def _is_macro_string(text: str) -> bool:
    return _LITERAL.fullmatch(_MACRO.sub("", text)) is not None


def _expanded(macro: re.Match[str], value: Callable[[str], str]) -> str:
    letter, count, backwards, delimiters, sign = macro.groups()
    if sign:
        return _SIGNS[sign]
    parts = re.split(f"[{re.escape(delimiters or '.')}]", value(letter.lower()))
    if backwards:
        parts.reverse()
    if count:
        parts = parts[-int(count[:3]) :]
    text = ".".join(parts)
    return quote(text, safe="-._~") if letter.isupper() else text
