"""Pages of the documents as HTML, for the web and for mails."""

from markdown_it import MarkdownIt
from markupsafe import Markup


def as_html(page: str) -> Markup:
    """A page in Markdown as HTML; HTML in it is shown as text."""
    return Markup(MarkdownIt("commonmark", {"html": False}).enable("table").render(page))  # noqa: S704 - HTML is off
