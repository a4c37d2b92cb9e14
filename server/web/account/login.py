"""Signing up, logging in with an emailed link, and the settings."""

from collections.abc import Mapping
from dataclasses import replace
from math import ceil

from flask import Blueprint, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from mail.incoming.peers import within
from server.accounts import newcomers, players, relations
from server.accounts.login import links, sessions
from server.accounts.login.links import MOST_LINKS, NewPlayer
from server.actions.access import LOG_OUT_EVERYWHERE
from server.admin.roles import role_of
from server.clock.errors import BadTime
from server.clock.zones import read_zone
from server.commands import player_names
from server.errors import BadRequest
from server.game.computer import lessons
from server.game.lobby import challenges
from server.game.preferences.preferences import set_zone
from server.store.models import Player
from server.web.account import feeds, push
from server.web.account import settings_form as settings_form
from server.web.home_page import home_page
from server.web.shared.fresh_login import begin_login, is_fresh
from server.web.shared.paging import asked_page
from server.web.shared.sender_confirmation import open_questions
from server.web.shared.visits import (
    PageResponse,
    Visit,
    acting,
    actor,
    done,
    log_in,
    log_out,
    looking,
    remember_page,
    returned,
    services,
    visitor,
)

pages = Blueprint("account", __name__)

_KEPT_AWAY = 12
"""The number of blocked and ignored players on a page of the settings."""


@pages.get("/login")
def lead_to_login() -> Response:
    """Redirect to the form to log in, for people who type its address or reload a refused form."""
    return redirect(url_for("public.home", _anchor="login"), 303)


@pages.get("/register")
def lead_to_registration() -> Response:
    """Redirect to the form to sign up."""
    return redirect(url_for("public.home", _anchor="become"), 303)


@pages.post("/login")
def send_login() -> PageResponse:
    """Email a login link to the address of a player. The response is the same for unknown addresses."""
    written = request.form.get("email", "")
    try:
        with acting() as visit:
            email = _address(written)
            action = replace(visit.action, doubtful=True)
            links.mail_login(action, email, players.by_email(visit.session, email))
    except BadRequest as problem:
        return _home(login_problem=str(problem), login_email=written)
    remember_page()
    return redirect(url_for("account.sent"), 303)


@pages.post("/register")
def send_registration() -> PageResponse:
    """Email a link to sign up; for the address of a player, a login link."""
    name, written = request.form.get("name", ""), request.form.get("email", "")
    try:
        with acting() as visit:
            newcomers.check_open(visit.session, "If you are already a player, log in.")
            email, name = _address(written), player_names.check(name)
            visit = replace(visit, action=newcomers.by_stranger(visit.action, _peer()))
            plain = services().settings.plain_address
            otherwise = f", or email {plain} with the line: register NAME"
            newcomers.check_rush(visit.action, email, otherwise)
            player = players.by_email(visit.session, email)
            links.mail_registration(visit.action, email, name, player)
    except BadRequest as problem:
        return _home(register_problem=str(problem), register_name=name, register_email=written)
    remember_page()
    return redirect(url_for("account.sent"), 303)


@pages.get("/sent")
def sent() -> str:
    """Ask the visitor to check their mailbox."""
    return render_template("sent.html", most_links=MOST_LINKS)


@pages.get("/enter/<secret>")
def enter(secret: str) -> PageResponse:
    """Show the button of an emailed link: mail scanners follow links, but do not press buttons."""
    with looking() as visit:
        who = services().logins.read(visit.session, secret)
        if who is None:
            return render_template("enter_failed.html"), 410
        return _entrance(name=who.name, new=isinstance(who, NewPlayer))


@pages.post("/enter/<secret>")
def use_link(secret: str) -> PageResponse:
    """Log in, or sign up and log in."""
    name, zone = request.form.get("name", ""), request.form.get("zone", "").strip()
    try:
        if zone:
            read_zone(zone)
    except BadTime as problem:
        return _entrance(name, zone, zone_problem=str(problem)), 422
    try:
        with acting() as visit:
            found = _admitted(visit, secret, name)
            told = _take_zone(visit, found[0], zone) if found else ""
    except BadRequest as problem:
        return _entrance(name, zone, problem=str(problem)), 409
    if found is None:
        return render_template("enter_failed.html"), 410
    answer = returned()
    log_in(*found)
    if told:
        flash(told)
    return answer


@pages.get("/settings")
def settings() -> str:
    """Show the settings."""
    with looking() as visit:
        return _settings_page(visit, {}, {})


@pages.post("/settings")
def save() -> PageResponse:
    """Store all changed settings; none if one of them is not valid."""
    texts = settings_form.changed()
    try:
        with acting() as visit:
            told = settings_form.store(visit, texts)
    except settings_form.Mistakes as found:
        with looking() as visit:
            return _settings_page(visit, texts, found.problems), 422
    return _saved(*told or ["No settings were changed."])


@pages.post("/settings/mail")
def set_mail() -> Response:
    """Stop or resume all email."""
    stopped = request.form.get("mail") == "stop"
    with acting() as visit:
        if stopped:
            players.want_nothing(visit.action, visit.player)
        else:
            visit.player.mail_stopped = False
    return _saved("You will get no more email." if stopped else "You will get email again.")


@pages.post("/logout")
def leave() -> Response:
    """Log out this browser, and stop its notifications."""
    who = visitor()
    if who is not None:
        with acting() as visit:
            sessions.end(visit.session, who.number, [who.login])
    return _left("You are logged out.")


@pages.post("/logout/everywhere")
def leave_everywhere() -> Response:
    """Log out all of the player's browsers."""
    with acting() as visit:
        sentence = LOG_OUT_EVERYWHERE.carry_out(actor(visit), {}).sentence
    return _left(sentence)


def _left(sentence: str) -> Response:
    log_out()
    answer = done(sentence, "public.home")
    # This removes the service worker and closes its notifications.
    answer.headers["Clear-Site-Data"] = '"storage"'
    return answer


def _peer() -> str:
    """Return the visitor's IP address; "" if only that of a trusted proxy is known."""
    peer = request.remote_addr or ""
    return "" if within(peer, services().settings.proxies) else peer


def _address(written: str) -> str:
    return players.check_address(written, services().settings.plain_address)


def _entrance(name: str, zone: str = "", problem: str = "", zone_problem: str = "", *, new: bool = True) -> str:
    return render_template(
        "enter.html", new=new, name=name, zone=zone, problem=problem, zone_problem=zone_problem
    )


def _admitted(visit: Visit, secret: str, name: str) -> tuple[Player, int] | None:
    """Return the player of a link and the number of their new login; None if the link is not valid.

    A new player gets the name. People with an invitation are admitted even if registration is restricted.
    """
    player = services().logins.read(visit.session, secret)
    if player is None:
        return None
    if isinstance(player, NewPlayer):
        player = lessons.register(visit.action, player.email, player_names.check(name))
    if challenges.invitations(visit.session, player):
        players.confirm(player, visit.action.now)
    players.admit(visit.action, player)
    number = begin_login(visit, player)
    return None if number is None else (player, number)


def _take_zone(visit: Visit, player: Player, zone: str) -> str:
    """Set the time zone of a player who has none: the one written at sign-up, or that of their browser.

    Return a sentence about it; "" if nothing changes. An unknown name in a browser is ignored.
    """
    seen = request.form.get("zone-seen", "")
    if player.zone or not (zone or seen):
        return ""
    try:
        return set_zone(visit.action, player, zone or seen)
    except BadRequest:
        return ""


def _home(**kept: str) -> tuple[str, int]:
    return home_page(**kept), 422


def _settings_page(visit: Visit, written: Mapping[str, str], problems: Mapping[str, str]) -> str:
    player = visit.player
    pages_of_kept_away = ceil(relations.count_kept_away(visit.session, player) / _KEPT_AWAY)
    page = min(asked_page("page"), max(pages_of_kept_away, 1))
    return render_template(
        "settings.html",
        sections=settings_form.sections(visit, written, problems),
        email=player.email,
        mail_stopped=player.mail_stopped,
        suspended=player.suspended_at is not None,
        role=role_of(visit.session, players.identity(player)),
        questions=open_questions(visit),
        kept_away=relations.kept_away(visit.session, player, _KEPT_AWAY, _KEPT_AWAY * (page - 1)),
        page=page,
        more=page < pages_of_kept_away,
        has_feeds=player.feed_key is not None,
        feeds=feeds.addresses(visit),
        fresh=is_fresh(visit),
        browsers=push.render_browsers(visit),
        push_key=services().push_keys.public,
        plain_address=services().settings.plain_address,
    )


def _saved(*sentences: str) -> Response:
    *first, last = sentences
    for sentence in first:
        flash(sentence)
    return done(last, "account.settings")
