"""Light, dark or high contrast: everybody chooses for their browser, which keeps it."""

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
    """One way in which pages are coloured; `name` is what the style sheet calls it."""

    name: str
    label: str
    scheme: str = "light dark"
    """What browsers may draw fields, bars and the page in before its style is there."""


_LIKE_THE_DEVICE = Colours("", "As my device is set")
WAYS = (
    _LIKE_THE_DEVICE,
    Colours("light", "Light", "light"),
    Colours("dark", "Dark", "dark"),
    Colours("contrast", "High contrast"),
)


def chosen() -> Colours:
    """What the browser keeps; as the device is set, if it keeps nothing that we know."""
    kept = request.cookies.get(_cookie(), "")
    return next((way for way in WAYS if way.name == kept), _LIKE_THE_DEVICE)


@pages.get("")
def ask() -> str:
    """Which colours?"""
    return render_template("colours.html", ways=WAYS)


@pages.post("")
def choose() -> Response:
    """These colours, on every page from now on."""
    way = next((way for way in WAYS if way.name == request.form.get("colours")), None)
    if way is None:
        abort(400)
    flash("Your browser will show these colours on every page.")
    response = redirect(url_for("colours.ask"), 303)
    secure = current_app.config["SESSION_COOKIE_SECURE"]
    age = _KEPT if way.name else timedelta()
    response.set_cookie(_cookie(), way.name, max_age=age, secure=secure, httponly=True, samesite="Lax")
    return response


def _cookie() -> str:
    """Its name, which begins like that of the login."""
    return f"{current_app.config['SESSION_COOKIE_NAME']}-colours"


def address(endpoint: str, **values: Any) -> str:
    """Where a page is, from anywhere."""
    return services().settings.base_url + url_for(endpoint, **values)
