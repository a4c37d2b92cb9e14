"""Documents in Markdown as HTML, for the web and for emails, and as plain text."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count, pairwise, repeat, takewhile
from textwrap import TextWrapper, indent
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


@lru_cache(maxsize=16)
def contents(page: str) -> tuple[tuple[str, str], ...]:
    """Return the headings of the second level of a page in Markdown, each with its anchor.

    For example, the heading “Health checks” has the anchor "health-checks".
    """
    found = _headings(MarkdownIt("commonmark").parse(page))
    return tuple((text, anchor) for opening, text, anchor in found if opening.tag == "h2")


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


def as_text(page: str, width: int) -> str:
    """Return a page in Markdown as plain text; fenced blocks, such as boards, keep their lines."""
    blocks, tokens = [], iter(MarkdownIt("commonmark", {"html": False}).enable("table").parse(page))
    lists: list[Iterator[str]] = []
    for token in tokens:
        match token.type:
            case "heading_open":
                title = _plain(next(tokens))
                blocks.append(f"{title}\n{'=' * len(title)}")
            case "bullet_list_open" | "ordered_list_open":
                marks = repeat("-") if token.tag == "ul" else (f"{number}." for number in count(1))
                lists.append(marks)
            case "bullet_list_close" | "ordered_list_close":
                lists.pop()
            case "list_item_open":
                blocks.append(f"{next(lists[-1])} ")
            case "inline" if blocks and blocks[-1].endswith(" "):
                blocks[-1] = _filled(_plain(token), width, blocks[-1])
            case "inline":
                blocks.append(_filled(_plain(token), width, " " * 2 * len(lists)))
            case "fence":
                blocks.append(token.content.rstrip("\n"))
            case "code_block":
                blocks.append(indent(token.content.rstrip("\n"), " " * 4))
            case "table_open":
                blocks.append(_table(tokens))
    return "\n\n".join(blocks)


def _plain(inline: Token) -> str:
    """Return a paragraph without marks, in one line; code is in quotation marks."""
    parts = []
    for token in inline.children or ():
        match token.type:
            case "code_inline":
                parts.append(f"“{token.content}”")
            case "softbreak" | "hardbreak":
                parts.append(" ")
            case _:
                parts.append(token.content)
    return "".join(parts)


def _filled(text: str, width: int, first: str) -> str:
    later = " " * len(first)
    filling = TextWrapper(width, first, later, break_on_hyphens=False, break_long_words=False)
    return filling.fill(text)


def _table(tokens: Iterator[Token]) -> str:
    """Return the rows of a table up to its end, in columns as wide as their longest cells."""
    rows: list[list[str]] = []
    for token in takewhile(lambda each: each.type != "table_close", tokens):
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(_plain(token))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(cell.ljust(size) for cell, size in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(f"  {line}".rstrip() for line in lines)
