"""The HTML that emails may use: properties that email programs show, and properties that they may drop
harmlessly.

From caniemail.com (github.com/hteumeuleu/caniemail, MIT, as of June 2026), for the web and the apps of Gmail
and Outlook, for Outlook on Windows, Apple Mail on Mac and iPhone, Thunderbird, Samsung Email, Yahoo and Proton;
and, for K-9 and Thunderbird on Android, from their HTML cleaner (thunderbird-android, `library/html-cleaner`).
Colours and font families are in no such table, as all programs show them.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

MOST_BYTES = 102_000
"""Bytes of HTML after which Gmail cuts an email."""

ELEMENTS = {
    "a": {"aria-label", "href", "style"},
    "b": {"style"},
    "body": {"style"},
    "code": {"class"},
    "div": {"role", "style"},
    "h1": {"style"},
    "h2": {"style"},
    "h3": {"style"},
    "html": {"lang"},
    "meta": {"charset", "content", "name"},
    "p": {"style"},
    "pre": {"style"},
    "span": {"style"},
    "table": {"aria-label", "bgcolor", "cellpadding", "cellspacing", "role", "style", "width"},
    "td": {"bgcolor", "colspan", "height", "style", "width"},
    "th": {"colspan", "scope", "style"},
    "tr": {"height", "style"},
    **{name: set() for name in ("head", "title", "br", "em", "strong", "ol", "ul", "li")},
    **{name: set() for name in ("thead", "tbody")},
}
"""Elements with their attributes."""

SHOWN = {
    "background": r"#[0-9a-f]{3,6}",  # Outlook on Windows accepts only a colour
    "border": r"[1-8]px (solid|dashed|double) #[0-9a-f]{3,6}",  # the thickest that Outlook on Windows draws
    "border-collapse": r"collapse",
    "color": r"#[0-9a-f]{3,6}|inherit",
    "font": r"(bold )?(1[2-9]|[2-9]\d)px[\w .,/'-]+",  # no smaller than people can read
    "font-family": r"monospace",
    "font-size": r"(1[2-9]|[2-9]\d)px",
    "font-weight": r"normal|bold",
    "line-height": r"[\d.]+(px)?",
    "text-align": r"left|right|center",
    "vertical-align": r"top",
}
"""Properties that all these programs show, with values that all of them accept. A board needs no others."""

LEFT_OUT = {
    "border-left": r"4px solid #[0-9a-f]{6}",  # uncertain in Outlook on Windows, except on cells
    "border-radius": r"[\w%]+",  # not in Outlook on Windows: discs become squares
    "border-top": r"1px solid #[0-9a-f]{6}",
    "display": r"block|inline-block|none",  # not in Outlook on Windows: `mso-hide` hides there
    "max-height": r"0",
    "mso-hide": r"all",
    "opacity": r"\.7",  # not in Outlook on Windows: small print is as dark as the rest
    "overflow": r"hidden",
    "margin": r"[\d. px]+",  # uncertain in Outlook on Windows; none here is negative
    "max-width": r"\d+em",  # in Outlook on Windows on tables only
    "mso-line-height-rule": r"exactly",  # for Outlook on Windows, which otherwise treats heights as minimum
    "overflow-x": r"auto",
    "padding": r"[\d. pxem]+",  # in Outlook on Windows on cells only
    "padding-left": r"\d+px",
    "padding-right": r"\d+px",
    "padding-top": r"\d+px",
    "table-layout": r"fixed",  # not in Outlook on Windows: each column has its width anyway
    "text-decoration": r"none",
    "white-space": r"nowrap",  # neither in Outlook on Windows nor in Samsung Email
    "word-break": r"break-word|break-all",
}
"""Properties that some programs drop: without them an email is less pretty and says the same."""


def check_html(html: str) -> None:
    """Raise AssertionError for HTML that not all of these programs show."""
    assert len(html.encode()) <= MOST_BYTES
    checker = _Checker()
    checker.feed(html)
    assert not checker.problems, "\n".join(checker.problems)


class _Checker(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.problems: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag not in ELEMENTS or not given.keys() <= ELEMENTS[tag]:
            self.problems.append(f"<{tag} {' '.join(given)}>")
        if len(given.get("href", "")) > 2000:
            self.problems.append("a link that is longer than some programs take")
        for declaration in filter(None, given.get("style", "").split(";")):
            name, _, value = declaration.partition(":")
            values = (SHOWN | LEFT_OUT).get(name, "")
            if not re.fullmatch(values, value) or (name == "border" and tag != "td"):
                self.problems.append(f"{declaration} of {tag}")
