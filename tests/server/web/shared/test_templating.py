"""The environment of the templates."""

from __future__ import annotations

from flask import Flask


def test_templates_share_the_globals_of_their_environment(app: Flask) -> None:
    """A `ChainMap` for each template would take a thirtieth of the time of a page."""
    environment = app.jinja_env
    for name in ("game.html", "_forms.html"):
        assert environment.get_template(name).globals is environment.globals
