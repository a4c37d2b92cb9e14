"""Pages for people who have a role; to everybody else there is nothing here."""

from flask import Blueprint

from server.web.admin import door, history, overview, staff

pages = Blueprint("admin", __name__, url_prefix="/admin")
for _part in (door.pages, overview.pages, staff.pages, history.pages):
    pages.register_blueprint(_part)
pages.context_processor(door.frame)
