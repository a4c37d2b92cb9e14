"""HTML of a mail as plain text, with quotes marked as plain text marks them, so that one module parts both."""

from __future__ import annotations

import re

from inscriptis import Inscriptis  # type: ignore[import-untyped]
from inscriptis.css_profiles import CSS_PROFILES  # type: ignore[import-untyped]
from inscriptis.html_properties import Display  # type: ignore[import-untyped]
from inscriptis.model.config import ParserConfig  # type: ignore[import-untyped]
from inscriptis.model.html_element import HtmlElement as Element  # type: ignore[import-untyped]
from lxml import etree  # type: ignore[import-untyped]
from lxml.html import HtmlElement, HTMLParser, document_fromstring  # type: ignore[import-untyped]

_MOST_CHARACTERS = 250_000
_LONGEST_STYLE = 500

# Classes and ids: what stands in such an element is the line above a quote, a quote, or a signature.
_QUOTES = frozenset(
    ("gmail_attr", "gmail_signature", "moz-cite-prefix", "moz-signature", "yahoo_quoted", "zmail_extra",
     "protonmail_signature_block", "tutanota_quote", "OLK_SRC_BODY_SECTION", "ms-outlook-mobile-signature",
     "mail-editor-reference-message-container", "Signature")
)  # fmt: skip
# What follows such an element is a quote, to the end.
_LAST_BEFORE_QUOTE = frozenset(("divRplyFwdMsg", "stopSpelling", "replySplit", "reply-intro"))
# Outlook on a desktop names nothing, but draws this line.
_OUTLOOK_LINE = re.compile(r"border:none;border-top:solid #[0-9a-f]{6} 1\.0pt", re.IGNORECASE)
# Gmail indents with the element that it quotes with.
_INDENTED = re.compile(r"border: ?none(?!.*border-left)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")


def plain_text(html: str) -> str:
    """The text of the first 250,000 characters, quoted lines with "> " before them; never raises."""
    html = html[:_MOST_CHARACTERS]
    if not html.strip():
        return ""
    try:
        tree = document_fromstring(html.encode(errors="replace"), parser=HTMLParser(encoding="utf-8"))
        for element in list(tree.iter(etree.Element)):
            # What a quote held has left the tree together with it.
            if element.getroottree().getroot() is tree and element is not tree:
                _mark(element)
        return _text(tree)
    except Exception:  # whatever a strange document does to two libraries, its words can still be read
        return _TAG.sub("\n", html)


def _mark(element: HtmlElement) -> None:
    """Say in the text what the element says about the text in it or after it."""
    names = _names(element)
    style = element.get("style", "")[:_LONGEST_STYLE]
    if element.tag == "hr":
        _replace(element, "_" * 32)
    elif names & _LAST_BEFORE_QUOTE or _OUTLOOK_LINE.search(style):
        element.addprevious(_lines("-----Original Message-----"))
    elif names & _QUOTES or (element.tag == "blockquote" and not _INDENTED.search(style)):
        tail, element.tail = element.tail, None
        quoted = "\n".join(f"> {line}" for line in _text(element).strip("\n").split("\n"))
        element.tail = tail
        # Apart from what stands next to it, as a line between two quoted ones counts as broken off.
        _replace(element, f"\n{quoted}\n\n")


def _names(element: HtmlElement) -> set[str]:
    """Its classes and its id; programs that quote HTML put `x_` before both."""
    names = f"{element.get('class', '')} {element.get('id', '')}".split()
    return {name.removeprefix("x_") for name in names}


def _replace(element: HtmlElement, text: str) -> None:
    lines = _lines(text)
    lines.tail, element.tail = element.tail, None
    element.getparent().replace(element, lines)


def _lines(text: str) -> HtmlElement:
    lines: HtmlElement = HTMLParser().makeelement("pre")
    lines.text = text
    return lines


def _text(tree: HtmlElement) -> str:
    # Outlook writes each line as a paragraph, without a distance between them.
    css = {**CSS_PROFILES["strict"], "p": Element(display=Display.block)}
    lines = Inscriptis(tree, ParserConfig(css=css)).get_text().split("\n")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.strip() for line in lines))
