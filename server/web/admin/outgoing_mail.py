"""Outgoing emails that are delayed, have failed or have bounced."""

from flask import render_template, request
from werkzeug.wrappers import Response

from server.admin import audit, outgoing_mail
from server.errors import BadRequest
from server.web.admin.access import admin_action, section
from server.web.admin.paging import Page
from server.web.shared.visits import PageResponse, acting, done, looking

pages = section("outbox")


@pages.get("/outbox")
def show() -> str:
    """Show failed emails, the oldest first, and on the first page also delayed ones and paused domains."""
    return _page()


@pages.post("/outbox/<int:number>/again")
def send_again(number: int) -> Response:
    """Send a failed or bounced email again."""
    with acting() as visit:
        if not outgoing_mail.send_again(admin_action(visit), number=number):
            raise BadRequest("This email has already been sent again.")
    return _done("The email will be sent within seconds.")


@pages.post("/outbox/<int:number>/now")
def try_now(number: int) -> Response:
    """Retry a delayed email immediately."""
    with acting() as visit:
        outgoing_mail.try_now(admin_action(visit), number)
    return _done("Nabu will retry the email within seconds.")


@pages.post("/outbox/<int:number>/give-up")
def give_up(number: int) -> Response:
    """Stop retrying a delayed email."""
    with acting() as visit:
        outgoing_mail.give_up(admin_action(visit), number)
    return _done("Nabu will not retry the email.")


@pages.post("/outbox/pause")
def pause() -> PageResponse:
    """Pause a domain."""
    domain, why = request.form.get("domain", ""), request.form.get("why", "")
    try:
        with acting() as visit:
            paused = outgoing_mail.pause_domain(admin_action(visit), domain, audit.reason(why))
    except BadRequest as problem:
        return _page(domain, why, str(problem)), 422
    return _done(f"Emails to {paused.domain} wait until you release it.")


@pages.post("/outbox/release")
def release() -> Response:
    """Release a paused domain."""
    domain = request.form.get("domain", "")
    with acting() as visit:
        outgoing_mail.release(admin_action(visit), domain)
    return _done(f"Nabu sends emails to {domain} again, beginning with those that waited.")


def _page(domain: str = "", why: str = "", problem: str = "") -> str:
    page = Page.asked()
    with looking() as visit:
        delayed = (
            Page(1).with_rows(outgoing_mail.delayed(visit.session, page.limit)) if page.number == 1 else None
        )
        paused = outgoing_mail.list_paused_domains(visit.session)
        found = page.with_rows(outgoing_mail.ended(visit.session, page.limit, page.skip))
    return render_template(
        "admin/outbox.html",
        delayed=delayed,
        paused_domains=paused,
        found=found,
        domain=domain,
        why=why,
        problem=problem,
    )


def _done(sentence: str) -> Response:
    return done(sentence, "admin.outbox.show")
