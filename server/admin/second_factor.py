"""The second factor of administrators and moderators: TOTP codes from a phone, and recovery codes.

The phone and the server share a key. It is stored encrypted, together with hashes of the recovery codes.
"""

import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

import pyotp

from server.accounts import access
from server.admin.audit import AdminAction
from server.errors import BadRequest
from server.store.keys.sealing import Sealer
from server.store.models import Player, Staff

GOOD_FOR = timedelta(hours=12)
"""How long a login may use the pages after a code."""
MOST_WRONG = 5
"""The number of wrong codes after which no code is accepted for a while."""
WINDOW = timedelta(minutes=15)
"""The time within which wrong codes are counted, from the first."""

_RECOVERY_CODES = 10
_HALF = 5  # characters of a recovery code before its hyphen, and behind it
_SLACK = 1  # time steps by which a phone may be wrong


@dataclass(frozen=True)
class AuthenticatorKey:
    """The key for the phone's app: as text, and as a URL for a QR code."""

    text: str
    address: str


def begin(admin_action: AdminAction, staff: Staff) -> None:
    """Replace the key by a new one. Codes are required only after it is confirmed."""
    staff.sealed_factor = _sealed(admin_action.action.sealer, pyotp.random_base32(), ())
    staff.confirmed_at = None
    admin_action.session.add(staff)
    admin_action.note("began to set up a second factor", player=staff.player_id)


def key(sealer: Sealer, staff: Staff, player: Player, site: str) -> AuthenticatorKey | None:
    """Return the key while it is being set up; None before and afterwards."""
    if staff.sealed_factor is None or staff.confirmed_at is not None:
        return None
    text = _opened(sealer, staff)[0]
    return AuthenticatorKey(
        text, pyotp.TOTP(text).provisioning_uri(name=player.name, issuer_name=f"Nabu {site}")
    )


def confirm(admin_action: AdminAction, staff: Staff, code: str, where: str) -> list[str] | None:
    """Require codes from now on if this one is right; notify the player and return the recovery codes.

    Return None if the code is wrong. `where` is as in `access.report`. Raises BadRequest as `check` does.
    """
    if staff.sealed_factor is None or staff.confirmed_at is not None:
        raise BadRequest("There is no second factor to confirm. Set one up first.")
    if not check(admin_action, staff, code):
        return None
    drawn = [secrets.token_hex(_HALF) for _ in range(_RECOVERY_CODES)]
    text = _opened(admin_action.action.sealer, staff)[0]
    staff.sealed_factor = _sealed(admin_action.action.sealer, text, [_hashed(each) for each in drawn])
    staff.confirmed_at = admin_action.action.now
    admin_action.note("set up a second factor", player=staff.player_id)
    player = admin_action.session.get_one(Player, staff.player_id)
    access.report(admin_action.action, player, access.SECOND_FACTOR, where=where)
    return [f"{each[:_HALF]}-{each[_HALF:]}" for each in drawn]


def check(admin_action: AdminAction, staff: Staff, code: str) -> bool:
    """Return whether a code is right; each can be used once. Commit also after a wrong one, as it is counted.

    `staff` must be locked. Raises BadRequest, without checking the code, after too many wrong ones.
    """
    now = admin_action.action.now
    if staff.wrong_since is None or now - staff.wrong_since > WINDOW:
        staff.wrong_codes, staff.wrong_since = 0, None
    if staff.wrong_codes >= MOST_WRONG:
        minutes = round(WINDOW.total_seconds() / 60)
        raise BadRequest(f"There were {MOST_WRONG} wrong codes. Try again in {minutes} minutes.")
    written = "".join(code.split()).replace("-", "").lower()
    if _is_shown(admin_action, staff, written) or _is_in_reserve(admin_action, staff, written):
        staff.wrong_codes, staff.wrong_since = 0, None
        return True
    staff.wrong_codes += 1
    staff.wrong_since = staff.wrong_since or now
    if staff.wrong_codes == MOST_WRONG:
        admin_action.note(f"gave {MOST_WRONG} wrong codes", player=staff.player_id)
    return False


def enter(admin_action: AdminAction, staff: Staff, code: str) -> bool:
    """Check a code as `check` does, and log the entry if it is right."""
    if not check(admin_action, staff, code):
        return False
    admin_action.note("entered the administration", player=staff.player_id)
    return True


def reset(admin_action: AdminAction, staff: Staff) -> None:
    """Remove a second factor, for example after a phone is lost. The next visit requires setting up another."""
    staff.sealed_factor = staff.confirmed_at = staff.wrong_since = None
    staff.last_step = staff.wrong_codes = 0
    admin_action.session.add(staff)
    admin_action.note("reset the second factor", player=staff.player_id)


def is_fresh(staff: Staff, passed_at: datetime, now: datetime) -> bool:
    """Return whether a code entered at `passed_at` still suffices now."""
    return staff.confirmed_at is not None and staff.confirmed_at <= passed_at and now - passed_at <= GOOD_FOR


def _is_shown(admin_action: AdminAction, staff: Staff, written: str) -> bool:
    """Return whether the phone shows this code about now, and it was not used before."""
    codes = pyotp.TOTP(_opened(admin_action.action.sealer, staff)[0])
    now = codes.timecode(admin_action.action.now)
    for step in range(max(now - _SLACK, staff.last_step + 1), now + _SLACK + 1):
        if hmac.compare_digest(codes.generate_otp(step).encode(), written.encode()):
            staff.last_step = step
            return True
    return False


def _is_in_reserve(admin_action: AdminAction, staff: Staff, written: str) -> bool:
    """Return whether it is an unused recovery code, and use it up."""
    text, reserve = _opened(admin_action.action.sealer, staff)
    if staff.confirmed_at is None or _hashed(written) not in reserve:
        return False
    left = [each for each in reserve if each != _hashed(written)]
    staff.sealed_factor = _sealed(admin_action.action.sealer, text, left)
    admin_action.note(f"used a recovery code; {len(left)} are left", player=staff.player_id)
    return True


def _hashed(code: str) -> str:
    return sha256(code.encode()).hexdigest()


def _sealed(sealer: Sealer, text: str, reserve: list[str] | tuple[str, ...]) -> bytes:
    return sealer.seal_json({"key": text, "reserve": list(reserve)})


def _opened(sealer: Sealer, staff: Staff) -> tuple[str, list[str]]:
    """Return the key and the hashes of the unused recovery codes. Raises UnknownKey."""
    found = sealer.open_json(staff.sealed_factor or b"")
    return found["key"], found["reserve"]
