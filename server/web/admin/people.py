"""Players, and actions that suspend them or close their accounts."""

from datetime import datetime, timedelta

from flask import abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from server.admin import audit, bans, outgoing_mail, people, player_file
from server.admin.roles import Role
from server.clock.errors import BadTime
from server.clock.moments import day_start, read_date
from server.errors import BadRequest, refusing
from server.store.db import locked
from server.store.models import Player
from server.web.admin.access import admin_action, member, section
from server.web.admin.paging import Page
from server.web.shared.visits import PageResponse, Visit, acting, done, looking, require_login

pages = section("people")

_LATEST = 10


@pages.get("/players")
def show() -> PageResponse:
    """List players by the beginning of their names; redirect administrators from an address to its player."""
    wanted, page, problem = request.args.get("wanted", ""), Page.asked(), ""
    with looking() as visit:
        if "@" in wanted:
            number = people.by_address(visit.session, wanted) if _sees_addresses() else None
            if number is not None:
                return redirect(url_for("admin.people.show_player", number=number), 303)
            problem = (
                "No player has this address."
                if _sees_addresses()
                else "Only administrators can search for addresses."
            )
        else:
            page = page.with_rows(people.found(visit.session, wanted, page.limit, page.skip))
    return render_template("admin/people.html", found=page, wanted=wanted, problem=problem)


@pages.get("/players/<int:number>")
def show_player(number: int) -> str:
    """Show a player and the forms to suspend them or close their account."""
    return _person_page(number)


@pages.post("/players/<int:number>/suspend")
def suspend(number: int) -> PageResponse:
    """Suspend a player until the end of a day, or without an end."""
    why, day = request.form.get("why", ""), request.form.get("until", "").strip()
    try:
        with refusing(BadTime):
            until = day_start(read_date(day) + timedelta(days=1), require_login().zone) if day else None
        with acting() as visit:
            player = _locked(visit, number)
            bans.suspend(admin_action(visit), player, until, audit.reason(why))
            reached = not player.mail_stopped and player.suspended_at is None
    except BadRequest as problem:
        return _person_page(number, suspending=str(problem), why=why, until=day), 422
    told = "An email to them is queued." if reached else "They get no email, so they have not been notified."
    return _done(number, f"The player is suspended. {told}")


@pages.post("/players/<int:number>/line")
def remove_line(number: int) -> PageResponse:
    """Remove the line that a player wrote about themselves, if it is still the one on the page."""
    line, why = request.form.get("line", ""), request.form.get("why", "")
    try:
        with acting() as visit:
            people.remove(admin_action(visit), _locked(visit, number), line, audit.reason(why))
    except BadRequest as problem:
        return _person_page(number, removing=str(problem)), 422
    return _done(number, "The line has been removed.")


@pages.post("/players/<int:number>/close")
def close(number: int) -> PageResponse:
    """Close an account."""
    _only_administrators()
    why = request.form.get("why", "")
    try:
        with acting() as visit:
            bans.close(admin_action(visit), _locked(visit, number), audit.reason(why))
    except BadRequest as problem:
        return _person_page(number, closing=str(problem)), 422
    return _done(number, "The account is closed.")


@pages.post("/players/<int:number>/delete")
def delete(number: int) -> PageResponse:
    """Delete an account, if the form contains the player's name as confirmation."""
    _only_administrators()
    name, why = request.form.get("name", ""), request.form.get("why", "")
    try:
        with acting() as visit:
            player = _locked(visit, number)
            if name.strip() != player.name:
                raise BadRequest(f"To delete the account, type the name “{player.name}”.")
            bans.delete(admin_action(visit), player, audit.reason(why))
    except BadRequest as problem:
        return _person_page(number, deleting=str(problem)), 422
    return _done(number, "The account is deleted.")


@pages.post("/players/<int:number>/resume")
def resume(number: int) -> Response:
    """Resume emails that were stopped because of bounces."""
    _only_administrators()
    with acting() as visit:
        outgoing_mail.resume(admin_action(visit), _locked(visit, number))
    return _done(number, "The player gets emails again, starting with the state of their games.")


@pages.post("/players/<int:number>/resend")
def resend(number: int) -> Response:
    """Resend the emails that were given up or returned."""
    _only_administrators()
    with acting() as visit:
        if not player_file.resend(admin_action(visit), _locked(visit, number)):
            raise BadRequest("These emails have already been sent again.")
    return _done(number, "The emails will be sent within seconds.")


@pages.post("/players/<int:number>/lift")
def lift(number: int) -> Response:
    """End a suspension or reopen an account."""
    with acting() as visit:
        player = _locked(visit, number)
        bar = people.get_player(visit.session, player, visit.action.now).bar
        if bar is not None and bar.closed and not _sees_addresses():
            abort(404)
        bans.lift(admin_action(visit), player)
    return _done(number, "The player can play again without restrictions.")


def _locked(visit: Visit, number: int) -> Player:
    player = locked(visit.session, Player, number)
    if player is None:
        abort(404)
    return player


def _sees_addresses() -> bool:
    """Return whether the visitor is an administrator, who may also close accounts."""
    found = member()
    return found is not None and found.role.covers(Role.ADMINISTRATOR)


def _only_administrators() -> None:
    if not _sees_addresses():
        abort(404)


def _done(number: int, sentence: str) -> Response:
    return done(sentence, "admin.people.show_player", number=number)


def _person_page(number: int, **kept: str) -> str:
    """Return the page of a player; `kept` are the values and errors of the submitted form."""
    with looking() as visit:
        player = visit.session.get(Player, number)
        if player is None:
            abort(404)
        now: datetime = visit.action.now
        view = people.get_player(visit.session, player, now)
        file = None
        if _sees_addresses():
            file = player_file.player_file(visit.session, visit.action.sealer, player)
        latest = audit.done(visit.session, _LATEST, about=number)
    return render_template(
        "admin/person.html",
        view=view,
        file=file,
        latest=latest,
        **kept,
    )
