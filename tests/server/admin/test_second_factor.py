"""The second factor: setting it up, valid and repeated codes, recovery codes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlmodel import Session, select

from server.admin import second_factor
from server.admin.audit import AdminAction
from server.errors import BadRequest
from server.processes.services import Services
from server.store.db import writing
from server.store.models import AuditEntry, Player, Staff
from server.store.outbox import ActionContext
from tests.support.server.services import Clock
from tests.support.web.administrators import appoint, shown


def admin_action(services: Services, session: Session) -> AdminAction:
    return AdminAction(ActionContext(session, services.sealer, services.now()))


def test_code_is_valid_once(services: Services, ann: Player) -> None:
    key, _ = appoint(services, ann)
    with writing(services.engine) as session:
        staff, here = session.get_one(Staff, ann.id), admin_action(services, session)
        assert second_factor.check(here, staff, shown(services, key))
        assert not second_factor.check(here, staff, shown(services, key))
        before = shown(services, key, -1)
        assert not second_factor.check(here, staff, before), "one that was shown before the last good one"


@pytest.mark.parametrize(("steps", "good"), [(-2, False), (1, True), (2, False)])
def test_phone_clock_may_be_wrong_by_half_a_minute(
    services: Services, ann: Player, clock: Clock, steps: int, good: bool
) -> None:
    key, _ = appoint(services, ann)
    clock.advance(minutes=5)
    with writing(services.engine) as session:
        code = shown(services, key, steps)
        staff = session.get_one(Staff, ann.id)
        assert second_factor.check(admin_action(services, session), staff, code) is good


def test_codes_are_read_as_phones_write_them(services: Services, ann: Player) -> None:
    key, codes = appoint(services, ann)
    code = shown(services, key)
    with writing(services.engine) as session:
        staff, here = session.get_one(Staff, ann.id), admin_action(services, session)
        assert second_factor.check(here, staff, f" {code[:3]} {code[3:]} ")
        assert second_factor.check(here, staff, codes[3].upper().replace("-", " "))


def test_recovery_code_is_valid_once(services: Services, ann: Player) -> None:
    _, codes = appoint(services, ann)
    with writing(services.engine) as session:
        staff, here = session.get_one(Staff, ann.id), admin_action(services, session)
        assert second_factor.check(here, staff, codes[0])
        assert not second_factor.check(here, staff, codes[0])
        assert second_factor.check(here, staff, codes[1])
        session.flush()
        assert "used a recovery code; 8 are left" in session.exec(select(AuditEntry.what)).all()


def test_attempts_to_enter_codes_are_limited(services: Services, ann: Player, clock: Clock) -> None:
    key, codes = appoint(services, ann)
    with writing(services.engine) as session:
        staff = session.get_one(Staff, ann.id)
        for _ in range(second_factor.MOST_WRONG):
            assert not second_factor.check(admin_action(services, session), staff, "abcdef")
        for right in (shown(services, key), codes[0]):
            with pytest.raises(BadRequest, match=r"There were 5 wrong codes. Try again in 15 minutes."):
                second_factor.check(admin_action(services, session), staff, right)
        clock.advance(minutes=16)
        assert second_factor.check(admin_action(services, session), staff, shown(services, key))
        assert staff.wrong_codes == 0
        session.flush()
        assert "gave 5 wrong codes" in session.exec(select(AuditEntry.what)).all()


def test_key_is_shown_only_during_setup(services: Services, ann: Player) -> None:
    appoint(services, ann)
    with writing(services.engine) as session:
        staff, here = session.get_one(Staff, ann.id), admin_action(services, session)
        assert second_factor.key(services.sealer, staff, ann, "here") is None
        with pytest.raises(BadRequest):
            second_factor.confirm(here, staff, "123456", "in a test")
        second_factor.begin(here, staff)
        key = second_factor.key(services.sealer, staff, ann, "here")
        assert key is not None
        assert key.address.startswith("otpauth://totp/Nabu%20here:Ann?secret=")
        assert second_factor.confirm(here, staff, "abcdef", "in a test") is None
        assert staff.confirmed_at is None


def test_stored_data_reveal_neither_key_nor_codes(services: Services, ann: Player) -> None:
    key, codes = appoint(services, ann)
    with writing(services.engine) as session:
        staff = session.get_one(Staff, ann.id)
        stored = repr(staff) + repr(session.exec(select(AuditEntry)).all())
        assert key not in stored
        assert codes[0] not in stored
        assert codes[0].replace("-", "") not in services.sealer.open(staff.sealed_factor or b"").decode()


def test_second_factor_is_valid_for_half_a_day(services: Services, ann: Player) -> None:
    appoint(services, ann)
    with writing(services.engine) as session:
        staff, now = session.get_one(Staff, ann.id), services.now()
        assert second_factor.is_fresh(staff, now, now + second_factor.GOOD_FOR)
        assert not second_factor.is_fresh(staff, now, now + second_factor.GOOD_FOR + timedelta(seconds=1))
        assert not second_factor.is_fresh(staff, now - timedelta(seconds=1), now)
        second_factor.reset(admin_action(services, session), staff)
        assert not second_factor.is_fresh(staff, now, now)
