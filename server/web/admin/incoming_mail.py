"""Quarantined emails."""

from flask import render_template, request
from werkzeug.wrappers import Response

from server.admin import audit, incoming_mail
from server.errors import BadRequest
from server.store.keys.sealing import UnknownKey
from server.web.admin.access import admin_action, section
from server.web.admin.paging import Page
from server.web.shared.visits import PageResponse, acting, done, looking

pages = section("quarantine")


@pages.get("/quarantine")
def show() -> str:
    """Show all quarantined emails, the oldest first."""
    page = Page.asked()
    with looking() as visit:
        found = page.with_rows(incoming_mail.list_quarantined(visit.session, page.limit, page.skip))
    return render_template("admin/quarantine.html", found=found)


@pages.get("/quarantine/<int:number>")
def show_email(number: int) -> str:
    """Show a quarantined email: its sender, and the reason for the quarantine."""
    return _mail_page(number)


@pages.post("/quarantine/<int:number>/read")
def read(number: int) -> str:
    """Show the raw text of a quarantined email, and log who has read it."""
    with acting() as visit:
        text = incoming_mail.read(admin_action(visit), number)
    return _mail_page(number, text=text)


@pages.post("/quarantine/<int:number>/again")
def deliver_again(number: int) -> Response:
    """Process a quarantined email again."""
    with acting() as visit:
        incoming_mail.deliver_again(admin_action(visit), number)
    return done(f"Email {number} will be processed within seconds.", "admin.quarantine.show")


@pages.post("/quarantine/<int:number>/drop")
def drop(number: int) -> PageResponse:
    """Discard a quarantined email."""
    written = request.form.get("why", "")
    try:
        why = audit.reason(written)
    except BadRequest as problem:
        return _mail_page(number, problem=str(problem)), 422
    with acting() as visit:
        incoming_mail.drop(admin_action(visit), number, why)
    return done(f"Email {number} has been discarded.", "admin.quarantine.show")


def _mail_page(number: int, text: str = "", problem: str = "") -> str:
    with looking() as visit:
        mail = incoming_mail.get_quarantined(visit.session, number)
        try:
            fields = incoming_mail.header(visit.session, visit.action.sealer, number)
        except UnknownKey:
            fields = [("Content", "cannot be decrypted: no matching key")]
    return render_template("admin/quarantined_email.html", mail=mail, fields=fields, text=text, problem=problem)
