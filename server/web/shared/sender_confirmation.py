"""The page on which a player confirms that they wrote an email; its button carries the email out."""

from datetime import datetime

from flask import Blueprint, render_template, request, url_for

from server.inbound.authorization.confirmation import Question, letter_of
from server.store import inbox
from server.store.tokens import ConfirmationToken
from server.web.shared.visits import PageResponse, Visit, acting, looking, require_login, services

pages = Blueprint("questions", __name__)

_SHOWN = 2000
"""The number of characters of the email that the page shows."""


@pages.get("/yes/<secret>")
def ask(secret: str) -> PageResponse:
    """Ask for confirmation, because programs that follow links must not carry anything out."""
    with looking() as visit:
        question = _question(visit, secret, lock=False)
        if question is None:
            return render_template("yes.html", state="answered"), 410
        return render_template("yes.html", state="asked", **_shown(question))


@pages.post("/yes/<secret>")
def say_yes(secret: str) -> PageResponse:
    """Carry out the email, once. The player gets the result by email, as for any email."""
    with acting() as visit:
        question = _question(visit, secret, lock=True)
        if question is None:
            return render_template("yes.html", state="answered"), 410
        asking = letter_of(question)
        always = "always" in request.form and asking is not None and asking.addable
        ending = services().pipeline().carry_out(question, always=always)
        added = question.request.reading.sender if always else ""
        return render_template("yes.html", state=ending.state, added=added)


def open_questions(visit: Visit, game: int | None = None) -> list[tuple[str, datetime]]:
    """Return the URLs on which the visitor can confirm emails for a game or for any, with arrival times."""
    tokens = services().tokens
    return [
        (url_for("questions.ask", secret=tokens.write(ConfirmationToken(row.id or 0))), row.received_at)
        for row in inbox.asked_of(visit.session, require_login().number, visit.action.now)
        if game in (None, row.game_id)
    ]


def _question(visit: Visit, secret: str, *, lock: bool) -> Question | None:
    token = services().tokens.read(secret)
    if not isinstance(token, ConfirmationToken):
        return None
    return services().pipeline().question(visit.action, token.mail, lock=lock)


def _shown(question: Question) -> dict[str, object]:
    reading, asking = question.request.reading, letter_of(question)
    return {
        "others": None if asking is None else asking.others,
        "sender": reading.sender,
        "text": (reading.text or reading.subject)[:_SHOWN],
        "received_at": question.request.row.received_at,
        "game": None if question.about is None else question.about.game,
        "addable": asking is not None and asking.addable,
    }
