"""Pages about the server, its terms of use and privacy, in the administrator's words or with default texts."""

from pathlib import Path
from urllib.parse import urlsplit

from flask import Blueprint, render_template

from rules.sentences import listed
from server.accounts.login import sessions
from server.game.terms.game_types import every_game_type
from server.jobs import retention
from server.markdown import contents, titled
from server.settings import Settings
from server.web.shared.visits import services

pages = Blueprint("site", __name__)

_DEFAULT = "<!-- default -->"
"""The line in a text of the administrator that stands for the default text without its title."""


@pages.get("/about")
def about() -> str:
    """Show the purpose of the server, and how to reach its administrator."""
    return _page("about")


@pages.get("/privacy")
def privacy() -> str:
    """Show the data that the server stores, how long it keeps them, and who can see them."""
    return _page("privacy")


@pages.get("/terms")
def terms() -> str:
    """Show the terms of use."""
    return _page("terms")


def _page(name: str) -> str:
    settings = services().settings
    title, text = titled(_default(name, settings))
    if (own := _own(name, settings)) is not None:
        own_title, own_text = titled(own)
        title, text = own_title or title, own_text.replace(_DEFAULT, text)
    return render_template("document.html", title=title, text=text, contents=contents(text), up=False)


def _own(name: str, settings: Settings) -> str | None:
    """Return the administrator's text; None if there is none."""
    file = Path(settings.pages_folder, f"{name}.md")
    if not settings.pages_folder or not file.is_file():
        return None
    return file.read_text(encoding="utf-8-sig", errors="replace").lstrip()


def _default(name: str, settings: Settings) -> str:
    """Return the default text, with the facts of this server."""
    return render_template(
        f"site/{name}.md",
        contact=settings.administrator or f"postmaster@{settings.mail_domain}",
        plain_address=settings.plain_address,
        games=listed([game_type.title for game_type in every_game_type()], "and"),
        login_days=sessions.LASTS.days,
        mail_days=settings.keep_mail_days,
        fingerprint_days=retention.REMEMBERED.days,
        sentry=urlsplit(settings.sentry_dsn).hostname,
        backups_encrypted=bool(settings.backup_keys),
    )
