"""Pages for people who have a role; to everybody else there is nothing here."""

from flask import Blueprint

from server.web.admin import (
    admission,
    announcements,
    blocks,
    bounces,
    complaints,
    door,
    games,
    held,
    history,
    outbox,
    overview,
    people,
    staff,
    tournaments,
)

pages = Blueprint("admin", __name__, url_prefix="/admin")
for _section in (
    overview,
    complaints,
    people,
    blocks,
    games,
    tournaments,
    held,
    outbox,
    bounces,
    announcements,
    admission,
    staff,
    history,
):
    pages.register_blueprint(_section.pages)
pages.register_blueprint(door.pages)
pages.context_processor(door.frame)
