"""Documents in Markdown as HTML, for the web and for emails."""

from collections.abc import Callable, Mapping
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

Fences = Mapping[str, Callable[[str, str], Markup]]
"""Renderers of fenced blocks, by the first word after the fence; they get the other words and the content."""


def as_html(page: str, fences: Fences | None = None) -> Markup:
    """Return a page in Markdown as HTML; HTML in it is shown as text."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    if fences:
        reader.add_render_rule("fence", _drawn(reader, fences))
    return Markup(reader.render(page))  # noqa: S704 - HTML is off


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
