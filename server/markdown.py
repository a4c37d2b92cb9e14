"""Documents in Markdown as HTML, for the web and for emails."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

Fences = Mapping[str, Callable[[str, str], Markup]]
"""Renderers of fenced blocks, by the first word after the fence; they get the other words and the content."""
Link = Callable[[str], str]
"""Returns the address to which a link in a document leads."""

_COMMENT = re.compile(r"^<!--[^\n]*-->\n", re.MULTILINE)
_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")


def as_html(page: str, fences: Fences | None = None, link: Link | None = None) -> Markup:
    """Return a page in Markdown as HTML; HTML in it is shown as text, without lines that are comments.

    With `link`, headings also get the anchors that GitHub gives them, so that links can lead to them.
    """
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    if fences:
        reader.add_render_rule("fence", _drawn(reader, fences))
    tokens = reader.parse(_COMMENT.sub("", page))
    if link:
        for opening, _, anchor in _headings(tokens):
            opening.attrSet("id", anchor)
        _lead(tokens, link)
    return Markup(reader.renderer.render(tokens, reader.options, {}))  # noqa: S704 - HTML is off


def contents(page: str) -> list[tuple[str, str]]:
    """Return the headings of the second level of a page in Markdown, each with its anchor."""
    found = _headings(MarkdownIt("commonmark").parse(page))
    return [(text, anchor) for opening, text, anchor in found if opening.tag == "h2"]


def titled(page: str) -> tuple[str, str]:
    """Return the title of a page in Markdown, which is its first line, and the text below it.

    The title is "" for a page that does not start with one.
    """
    first, _, text = page.partition("\n")
    return (first.removeprefix("# ").strip(), text) if first.startswith("# ") else ("", page)


def _headings(tokens: Sequence[Token]) -> Iterator[tuple[Token, str, str]]:
    """Yield the start of each heading, its text, and its anchor: in lower case, with hyphens for spaces."""
    given: dict[str, int] = {}
    for opening, content in pairwise(tokens):
        if opening.type == "heading_open":
            text = "".join(child.content for child in content.children or ())
            anchor = _NOT_IN_ANCHORS.sub("", text.lower()).replace(" ", "-")
            number = given[anchor] = given.get(anchor, -1) + 1
            yield opening, text, f"{anchor}-{number}" if number else anchor


def _lead(tokens: Sequence[Token], link: Link) -> None:
    for token in tokens:
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("href", link(str(child.attrGet("href"))))


def _drawn(reader: MarkdownIt, fences: Fences) -> Callable[..., str]:
    plain: Callable[..., str] = reader.renderer.rules["fence"]  # type: ignore[attr-defined]

    def fence(_renderer: Any, tokens: Any, index: int, options: Any, env: Any) -> str:
        sort, _, rest = tokens[index].info.partition(" ")
        return (
            str(fences[sort](rest, tokens[index].content))
            if sort in fences
            else plain(tokens, index, options, env)
        )

    return fence
