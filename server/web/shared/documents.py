"""The documents for players in `docs`, as pages: with this server's addresses, and links to each other."""

from functools import lru_cache
from pathlib import PurePosixPath

from flask import url_for
from markupsafe import Markup

from rules.registry import RULES
from server.markdown import Fences, as_html
from server.settings import ROOT, Settings

HELP = ("playing-by-email", "commands", "tournaments", "ratings", "fair-play")
"""The documents under `/help`, in the order of the index; `docs/NAME.md` each."""

_DOMAIN = "games.example.org"
"""The domain of the server in the documents."""
_SITE = ("about", "privacy", "terms")
"""The texts of the administrator, which are documents as well."""


def help_document(name: str, settings: Settings) -> str:
    """Return a document under `/help` in Markdown, with the addresses of this server in all examples."""
    page = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    page = page.replace(f"https://{_DOMAIN}", settings.base_url)
    page = page.replace("play+…@", f"{settings.mail_name}+…@").replace(
        f"play@{_DOMAIN}", settings.plain_address
    )
    return page.replace(_DOMAIN, settings.mail_domain)


def as_page(page: str, fences: Fences | None = None) -> Markup:
    """Return a Markdown page as HTML; wide tables and code blocks can be scrolled with keys."""
    return _scrollable(page, fences) if fences else _known(page, url_for("help.index"))


@lru_cache(maxsize=16)
def _known(page: str, _place: str) -> Markup:
    """Return a document without pictures as HTML: making it takes most of the time of its page.

    The links in it depend on the place of these pages on the site.
    """
    return _scrollable(page, None)


def _scrollable(page: str, fences: Fences | None) -> Markup:
    html = as_html(page, fences, _on_this_site)
    for tag in ("pre", "table"):
        html = html.replace(Markup(f"<{tag}>"), Markup(f'<{tag} tabindex="0">'))  # noqa: S704 - no text of others
    return html


def _on_this_site(target: str) -> str:
    """Return the address of the page that a link to another document leads to; others stay as they are."""
    path, _, anchor = target.partition("#")
    name = PurePosixPath(path).stem
    if not path.endswith(".md") or ":" in path:
        return target
    if name in HELP:
        return url_for("help.show", name=name, _anchor=anchor or None)
    if name in _SITE:
        return url_for(f"site.{name}", _anchor=anchor or None)
    if name in RULES:
        return url_for("rulebook.rules", game_type=name, _anchor=anchor or None)
    return url_for("verify.show_explanation", _anchor=anchor or None) if name == "verify" else target
