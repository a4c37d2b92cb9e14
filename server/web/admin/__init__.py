"""The administration pages, for people with a role; everyone else gets 404."""

from flask import Blueprint

from server.web.admin import (
    access,
    announcements,
    audit_log,
    bans,
    bounces,
    complaints,
    games,
    incoming_mail,
    outgoing_mail,
    overview,
    people,
    registration,
    staff,
    tournaments,
)

pages = Blueprint("admin", __name__, url_prefix="/admin")
for _section in (
    overview,
    complaints,
    people,
    bans,
    games,
    tournaments,
    incoming_mail,
    outgoing_mail,
    bounces,
    announcements,
    registration,
    staff,
    audit_log,
):
    pages.register_blueprint(_section.pages)
pages.register_blueprint(access.pages)
pages.context_processor(access.frame)
