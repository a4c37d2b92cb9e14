"""The HTML of an email as plain text, with quotes marked as in plain text, so that one module can split both.

Libraries that render pages also compute widths of cells and margins, which are not needed here. This one writes
the text as the parser reaches it, without a tree: time and memory are in proportion to the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from lxml.etree import HTMLParser  # type: ignore[import-untyped]

_MOST_CHARACTERS = 250_000
_LONGEST_STYLE = 500
_DEEPEST = 300
_MOST_STEPS = 8000
# A parser looks through all open elements whenever one is closed, so their number is checked now and then.
_AT_ONCE = 4096

# Classes and ids of elements with the line above a quote, a quote, or a signature.
_QUOTES = frozenset(
    ("gmail_attr", "gmail_signature", "moz-cite-prefix", "moz-signature", "yahoo_quoted", "zmail_extra",
     "protonmail_signature_block", "tutanota_quote", "OLK_SRC_BODY_SECTION", "ms-outlook-mobile-signature",
     "mail-editor-reference-message-container", "Signature", "front-signature", "composer_signature")
)  # fmt: skip
# All text after such an element is a quote.
_LAST_BEFORE_QUOTE = frozenset(("divRplyFwdMsg", "stopSpelling", "replySplit", "reply-intro"))
_BLOCKS = frozenset(
    ("p", "div", "ul", "ol", "li", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "xmp", "listing",
     "plaintext", "address", "article", "aside", "figure", "figcaption", "footer", "header", "hgroup", "layer",
     "main", "nav", "section", "center", "dl", "dt", "dd", "blockquote")
)  # fmt: skip
_HIDDEN = frozenset(("head", "link", "meta", "script", "style", "title"))
_PREFORMATTED = frozenset(("pre", "xmp", "listing", "plaintext"))
# Desktop Outlook names nothing, but draws this line.
_OUTLOOK_LINE = re.compile(r"border:none;border-top:solid #[0-9a-f]{6} 1\.0pt")
# Gmail uses the same element to indent and to quote.
_NO_BORDER = re.compile(r"border: ?none")
_DISPLAY = re.compile(r"(?:^|[;\s])display\s*:\s*([a-z]+)")
_WHITE_SPACE = re.compile(r"(?:^|[;\s])white-space\s*:\s*(pre|normal|nowrap)")
_STRUCK = frozenset(("s", "strike", "del"))
_LINE_THROUGH = re.compile(r"text-decoration(?:-line)?\s*:[^;]*line-through")
_MAY_STRIKE = re.compile(r"<(?:s|strike|del)[\s>]|line-through", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")


def strikes_out(html: str) -> bool:
    """Return whether an HTML email has struck out text outside of quotes."""
    return bool(_MAY_STRIKE.search(html)) and _read(html).strikes


def plain_text(html: str) -> str:
    """Return an HTML email as plain text, with "> " before quoted lines; never raises.

    Only the first 250,000 characters are read. It leaves out text that is struck out, and stops after 8,000
    elements and line breaks: emails of people have half as many in 250,000 characters.
    """
    return _read(html).text


def _read(html: str) -> _Page:
    html = html[:_MOST_CHARACTERS]
    page = _Page()
    data = html.encode()
    parser = HTMLParser(target=page, encoding="utf-8")
    try:
        for start in range(0, len(data), _AT_ONCE):
            parser.feed(data[start : start + _AT_ONCE])
            if page.depth > _DEEPEST or page.steps > _MOST_STEPS:
                break
        page.text = parser.close()
    except Exception:  # for any error of the library: the words can still be read
        page.text = _TAG.sub("\n", html)
    return page


class _Element(NamedTuple):
    """An open element; `hidden`, `struck` and `preformatted` apply to its contents, too."""

    block: bool = False
    hidden: bool = False
    struck: bool = False
    preformatted: bool = False
    quote: bool = False


_HIDDEN_ELEMENT = _Element(hidden=True)


class _Page:
    """Collects the parsed text as lines."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []  # pieces of the current line
        self._blank = False  # whether a blank comes before the next piece
        self._open = [_Element()]
        self._quote: int | None = None  # the first line of the quote
        self.steps = 0
        """The number of elements and line breaks so far."""
        self.strikes = False
        """True if text outside of quotes is struck out."""
        self.text = ""
        """The text of the whole page, once it is read."""

    @property
    def depth(self) -> int:
        """Return the number of open elements."""
        return len(self._open)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Handle the start of an element."""
        self.steps += 1
        element = self._element(tag, attributes)
        self._open.append(element)
        if element.hidden:
            return
        if element.block:
            self._end_line()
        if element.quote:
            self._begin_quote()
        if tag == "br":
            self._break_line()
        elif tag == "li":
            self._line.append("* ")
        elif tag in ("td", "th"):
            self._blank = True

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        element = self._open.pop()
        if element.block and not element.hidden:
            self._end_line()
        if element.quote:
            self._end_quote()

    def data(self, text: str) -> None:
        """Handle text in the open element."""
        element = self._open[-1]
        if element.struck:
            self.strikes = self.strikes or (self._quote is None and not text.isspace())
        if element.hidden or element.struck:
            return
        if not element.preformatted:
            self._write(text)
            return
        first, *others = text.split("\n")
        self.steps += len(others)
        self._line.append(first)
        for each in others:
            self._break_line()
            self._line.append(each)

    def comment(self, text: str) -> None:
        """Ignore a comment."""

    def pi(self, target: str, data: str | None = None) -> None:
        """Ignore a processing instruction."""

    def close(self) -> str:
        """Return the complete text, with at most one empty line in a row."""
        while len(self._open) > 1:
            self.end("")
        self._end_line()
        return "\n".join(_collapsed(self._lines))

    def _element(self, tag: str, attributes: Mapping[str, str]) -> _Element:
        """Return how an element affects the text in it; effects on later text are written immediately."""
        within = self._open[-1]
        # Most have no attributes, which is quick to check.
        style = attributes.get("style", "")[:_LONGEST_STYLE].lower() if attributes else ""
        display, space = (_DISPLAY.search(style), _WHITE_SPACE.search(style)) if style else (None, None)
        shown = display[1] if display else ""
        if within.hidden or shown == "none" or tag in _HIDDEN:
            return _HIDDEN_ELEMENT
        quote = self._quote is None and self._is_marked(tag, style, _names(attributes) if attributes else set())
        struck = within.struck or tag in _STRUCK or (bool(style) and _LINE_THROUGH.search(style) is not None)
        return _Element(
            struck=struck,
            block=quote or shown == "block" or (tag in _BLOCKS and shown != "inline"),
            preformatted=space[1] == "pre" if space else within.preformatted or tag in _PREFORMATTED,
            quote=quote,
        )

    def _is_marked(self, tag: str, style: str, names: set[str]) -> bool:
        """Return whether the element contains a quote. If a quote follows it, write a line that says so."""
        if tag == "hr":
            self._set_apart("_" * 32)
        elif names & _LAST_BEFORE_QUOTE or _OUTLOOK_LINE.search(style):
            self._set_apart("-----Original Message-----")
        else:
            return bool(names & _QUOTES) or (tag == "blockquote" and not _is_indented(style))
        return False

    def _write(self, text: str) -> None:
        words = text.split()
        self._blank = self._blank or text[:1].isspace()
        if not words:
            return
        if self._blank and self._line:
            self._line.append(" ")
        self._line.append(" ".join(words))
        self._blank = text[-1].isspace()

    def _end_line(self) -> bool:
        """End the line, and return whether it had any text."""
        if not self._line:
            self._blank = False
            return False
        line = "".join(self._line).strip()
        self._line, self._blank = [], False
        if line:
            self._lines.append(line)
        return bool(line)

    def _break_line(self) -> None:
        if not self._end_line():
            self._lines.append("")

    def _set_apart(self, line: str) -> None:
        self._end_line()
        self._lines.append(line)

    def _begin_quote(self) -> None:
        # Separate it from the text beside it, as a line between two quoted ones counts as broken off.
        self._lines.append("")
        self._quote = len(self._lines)

    def _end_quote(self) -> None:
        quoted = "\n".join(_collapsed(self._lines[self._quote :])).strip("\n").split("\n")
        self._lines[self._quote :] = [f"> {line}".rstrip() for line in quoted] + [""]
        self._quote = None


def _names(attributes: Mapping[str, str]) -> set[str]:
    """Return its classes and its id; programs that quote HTML put `x_` before both."""
    names = f"{attributes.get('class', '')} {attributes.get('id', '')}".split()
    return {name.removeprefix("x_") for name in names}


def _is_indented(style: str) -> bool:
    """Return whether an element that usually quotes has no line at its side."""
    *_, end = [0, *(found.end() for found in _NO_BORDER.finditer(style))]
    return end > 0 and "border-left" not in style[end:]


def _collapsed(lines: Iterable[str]) -> list[str]:
    """Return the lines, with only the first of several empty ones in a row."""
    kept: list[str] = []
    for line in lines:
        if line or not kept or kept[-1]:
            kept.append(line)
    return kept
