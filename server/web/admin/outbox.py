"""Mails that do not reach people."""

from flask import flash, redirect, render_template, url_for
from werkzeug.wrappers import Response

from server.errors import BadRequest
from server.operating import mails_out
from server.web.admin.door import office, section
from server.web.admin.lists import Page
from server.web.visits import acting, looking

pages = section("outbox")


@pages.get("/outbox")
def show() -> str:
    """What is tried again, on the first page, and what was given up or came back, the oldest first."""
    page = Page.asked()
    with looking() as visit:
        delayed = Page(1).of(mails_out.delayed(visit.session, page.limit)) if page.number == 1 else None
        found = page.of(mails_out.ended(visit.session, page.limit, page.skip))
    return render_template("admin/outbox.html", delayed=delayed, found=found)


@pages.post("/outbox/<int:number>/again")
def send_again(number: int) -> Response:
    """Send one again that was given up or came back."""
    with acting() as visit:
        if not mails_out.send_again(office(visit), number=number):
            raise BadRequest("This mail was sent again already.")
    return _done("The mail will be sent within seconds.")


@pages.post("/outbox/<int:number>/now")
def try_now(number: int) -> Response:
    """Try one at once."""
    with acting() as visit:
        mails_out.try_now(office(visit), number)
    return _done("The mail will be tried within seconds.")


@pages.post("/outbox/<int:number>/give-up")
def give_up(number: int) -> Response:
    """Try one no more."""
    with acting() as visit:
        mails_out.give_up(office(visit), number)
    return _done("The mail is given up.")


def _done(sentence: str) -> Response:
    flash(sentence)
    return redirect(url_for("admin.outbox.show"), 303)
