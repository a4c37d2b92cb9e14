"""The colour scheme: light, dark or high contrast, chosen for each browser and stored in its cookie."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from flask import Blueprint, abort, current_app, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from server.web.shared.visits import services

pages = Blueprint("colours", __name__, url_prefix="/colours")

_KEPT = timedelta(days=365)


@dataclass(frozen=True)
class Colours:
    """A colour scheme; `name` is its name in the style sheet."""

    name: str
    label: str
    scheme: str = "light dark"
    """The CSS `color-scheme` of the page, which browsers use for form fields and scroll bars."""


_LIKE_THE_DEVICE = Colours("", "Like my device")
WAYS = (
    _LIKE_THE_DEVICE,
    Colours("light", "Light", "light"),
    Colours("dark", "Dark", "dark"),
    Colours("contrast", "High contrast"),
)


def chosen() -> Colours:
    """Return the scheme in the browser's cookie; by default that of the device."""
    kept = request.cookies.get(_cookie(), "")
    return next((way for way in WAYS if way.name == kept), _LIKE_THE_DEVICE)


@pages.get("")
def ask() -> str:
    """Show the choice of colours."""
    return render_template("colours.html", ways=WAYS)


@pages.post("")
def choose() -> Response:
    """Store the colours that were chosen in a cookie."""
    way = next((way for way in WAYS if way.name == request.form.get("colours")), None)
    if way is None:
        abort(400)
    flash("The new colours are used on all pages in this browser.")
    response = redirect(url_for("colours.ask"), 303)
    secure = current_app.config["SESSION_COOKIE_SECURE"]
    age = _KEPT if way.name else timedelta()
    response.set_cookie(_cookie(), way.name, max_age=age, secure=secure, httponly=True, samesite="Lax")
    return response


def _cookie() -> str:
    """Return the name of the cookie, which begins like that of the session."""
    return f"{current_app.config['SESSION_COOKIE_NAME']}-colours"


def address(endpoint: str, **values: Any) -> str:
    """Return the absolute URL of a page."""
    return services().settings.base_url + url_for(endpoint, **values)
