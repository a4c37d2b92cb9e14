"""Administrators and moderators: their roles and second factors."""

from __future__ import annotations

from datetime import timedelta

import pyotp
from flask import Flask

from server.admin import second_factor
from server.admin.audit import AdminAction
from server.admin.roles import Role, give
from server.processes.services import Services
from server.store.db import writing
from server.store.models import Player, Staff
from server.store.outbox import ActionContext
from tests.support.web.client import Browser, logged_in


def appoint(services: Services, player: Player, role: Role = Role.ADMINISTRATOR) -> tuple[str, list[str]]:
    """Give a player a role and set up their second factor; return its key and the recovery codes."""
    with writing(services.engine) as session:
        admin_action = AdminAction(ActionContext(session, services.sealer, services.now()))
        give(admin_action, session.get_one(Player, player.id), role)
        session.flush()
        staff = session.get_one(Staff, player.id)
        second_factor.begin(admin_action, staff)
        key = second_factor.key(services.sealer, staff, player, "games.example.org")
        assert key is not None
        codes = second_factor.confirm(admin_action, staff, shown(services, key.text, -1), "in a test")
        assert codes is not None
        return key.text, codes


def shown(services: Services, key: str, later: int = 0) -> str:
    """Return the code that their phone shows now, or this many time steps later."""
    return pyotp.TOTP(key).at(services.now() + later * timedelta(seconds=30))


def entered_with_codes(
    app: Flask, services: Services, player: Player, role: Role = Role.ADMINISTRATOR
) -> tuple[Browser, list[str]]:
    """Give a player a role; return their browser after they have entered a code, and their recovery codes."""
    key, codes = appoint(services, player, role)
    browser = logged_in(app, services, player)
    assert browser.send("/admin/enter", code=shown(services, key)).status_code == 303
    return browser, codes


def entered(app: Flask, services: Services, player: Player, role: Role = Role.ADMINISTRATOR) -> Browser:
    """Give a player a role; return their browser after they have entered a code."""
    return entered_with_codes(app, services, player, role)[0]
