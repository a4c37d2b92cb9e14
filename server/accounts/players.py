"""Players: their rows, names and email addresses."""

import re
import unicodedata
from datetime import datetime
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, or_, select

from mail.addresses import BadAddress, normalise, same_mailbox
from rules.sentences import quoted
from server.accounts import computer_characters, names, newcomers, push_subscriptions
from server.accounts.names import mixes_scripts, shape
from server.errors import BadRequest, refusing
from server.store.db import LOCK
from server.store.letters.account import Welcome
from server.store.models import Address, Player, Staff
from server.store.outbox import ActionContext

_GUEST = "Guest"
_FORMER = "Former player"
"""The name of players who have deleted their account, before their number."""
_STEM = 24
"""Maximum length of a generated name without its number."""
_ADMINISTRATOR = "administrator"
"""The role, as in `admin.roles.Role`."""
_NAME = re.compile(r"[^\W_][\w.' -]{0,28}[\w.]|[^\W\d_]")


def by_email(session: Session, email: str) -> Player | None:
    """Return the player with this normalised address, or None."""
    address = session.get(Address, email)
    return None if address is None else session.get(Player, address.player_id)


def writes_from(session: Session, player: Player, email: str) -> bool:
    """Return whether an address is one of the player's."""
    if email == player.email:
        return True
    address = session.get(Address, email)
    return address is not None and address.player_id == player.id


def logs_in_from(session: Session, player: Player, email: str) -> bool:
    """Return whether an address is one from which the player can log in, not only send moves."""
    address = session.get(Address, email)
    return address is not None and address.player_id == player.id and address.logs_in


def by_name(session: Session, name: str) -> Player | None:
    """Return the player of this name, in any case, or None. A name that only looks alike is another one."""
    return session.exec(select(Player).where(Player.name_key == name.casefold())).first()


def find_known(session: Session, name: str) -> Player | None:
    """Return the player of this name, or None; also None for people who were only invited."""
    player = by_name(session, name)
    return None if player is None or player.confirmed_at is None else player


def register(action: ActionContext, email: str, name: str) -> Player:
    """Sign up the owner of an address, who may have been invited before, and send the welcome email."""
    player = by_email(action.session, email)
    if player is not None and player.confirmed_at is not None:
        raise BadRequest(f"This address is already registered, as {player.name}.")
    newcomers.check(action.session, email, player)
    name = check_name(name)
    _check_free(action.session, name, player)
    if player is None:
        player = _add(action, email, name)
    _call(player, name)
    player.confirmed_at, player.mail_stopped = action.now, False
    action.put_to_player(player, Welcome(name, identity(player)))
    return player


def addresses_of(session: Session, player: Player) -> list[str]:
    """Return the addresses of a player, the main one first."""
    query = select(Address.email).where(Address.player_id == player.id)
    return sorted({player.email, *session.exec(query)}, key=lambda email: (email != player.email, email))


def add_address(session: Session, now: datetime, player: Player, email: str, *, logs_in: bool = True) -> None:
    """Add an address for moves and, with `logs_in`, for logging in, unless it is another player's."""
    address = session.get(Address, email)
    if address is None:
        address = Address(email=email, player_id=identity(player), logs_in=logs_in, since=now)
        session.add(address)
    elif logs_in and not address.logs_in and address.player_id == player.id:
        address.logs_in, address.since = True, now


def rename(session: Session, player: Player, name: str) -> None:
    """Rename a player; raises BadRequest for a name that is taken or not allowed."""
    name = check_name(name)
    _check_free(session, name, player)
    _call(player, name)


def invite(action: ActionContext, email: str, own: str) -> Player:
    """Return the player with this address, or create an unconfirmed one with a neutral name."""
    email = check_address(email, own)
    return by_email(action.session, email) or _add(action, email, free_name(action.session, _GUEST))


def stand_in(action: ActionContext) -> Player:
    """Create a player without an address, to be invited in place of someone who must not be."""
    player = new_player(free_name(action.session, _GUEST), action.now)
    action.session.add(player)
    action.session.flush()
    return player


def stop_mail(action: ActionContext, email: str, own: str) -> None:
    """Stop all email to an address except answers to its own; a stranger gets a row like an invited one."""
    want_nothing(action, invite(action, email, own))


def want_nothing(action: ActionContext, player: Player) -> None:
    """Stop all email to a player except answers, and notifications in their browsers."""
    player.mail_stopped = True
    push_subscriptions.end(action.session, identity(player))


def wants_nothing(player: Player | None) -> bool:
    """Return whether a person who was only invited has stopped all email."""
    return player is not None and player.mail_stopped and player.confirmed_at is None


def confirm(player: Player, now: datetime) -> None:
    """Record that a player has acted themselves."""
    if player.confirmed_at is None:
        player.confirmed_at = now


def admit(action: ActionContext, player: Player) -> None:
    """Confirm a person who may only have been invited. Raises BadRequest if they may not sign up now."""
    if player.confirmed_at is None:
        newcomers.check(action.session, player.email, player)
        confirm(player, action.now)


def check_name(name: str) -> str:
    """Return the name with single spaces; raises BadRequest for a name that is not allowed.

    A dot after a single word ends a sentence (“register Ann.”); after several words it may abbreviate one.
    """
    name = unicodedata.normalize("NFC", " ".join(name.split()))
    name = name if " " in name else name.rstrip(".")
    if not _NAME.fullmatch(name):
        raise BadRequest(
            f"{quoted(name)} cannot be a name: use 1 to 30 letters, digits, spaces, dots, hyphens or "
            "apostrophes. It begins with a letter or digit, and ends with one or a dot."
        )
    if mixes_scripts(name):
        raise BadRequest(f"“{name}” cannot be a name: its letters are from several scripts. Use only one.")
    return name


def check_address(email: str, own: str) -> str:
    """Return the address, normalised; raises BadRequest for an invalid one, or for the server's own."""
    with refusing(BadAddress):
        email = normalise(email)
    if same_mailbox(email, own):
        raise BadRequest(f"{email} is an address of this server, not of a player.")
    return email


def free_name(session: Session, wanted: str) -> str:
    """Return a free and allowed name like the wanted one, for example “Ann2” if “Ann” is taken."""
    words = re.sub(r"[^\w.' -]|_", " ", wanted).split()
    stem = " ".join(words).title()[:_STEM].strip(" .'-")
    if not _NAME.fullmatch(stem) or mixes_scripts(stem) or names.is_reserved(wanted):
        stem = "Player"
    name = stem
    if not _is_free(session, name):
        name = f"{stem}{_free_number(session, stem)}"
    return name


def locked_administrators(session: Session) -> list[int]:
    """Lock all administrators until the transaction ends, and return their player numbers."""
    session.flush()
    query = select(Staff.player_id).where(Staff.role == _ADMINISTRATOR).order_by(col(Staff.player_id))
    return list(session.exec(query.with_for_update(**LOCK)))


def check_not_last_administrator(session: Session, player: Player) -> None:
    """Raise BadRequest for the only administrator."""
    if locked_administrators(session) == [player.id]:
        raise BadRequest(
            "You are the only administrator here, so your account cannot be deleted. Make another player an "
            "administrator first."
        )


def forget(player: Player) -> None:
    """Delete all data of a player and give them a neutral name."""
    blank = new_player(f"{_FORMER} {identity(player)}", player.created_at)
    blank.mail_stopped, blank.login_serial = True, player.login_serial + 1
    for column in set(Player.model_fields) - {"id"}:
        setattr(player, column, getattr(blank, column))


def _free_number(session: Session, stem: str) -> int:
    """Return a number with which the name is free, found by bisection."""
    taken, free = 1, 2
    while not _is_free(session, f"{stem}{free}"):
        taken, free = free, 2 * free
    while free - taken > 1:
        middle = (taken + free) // 2
        taken, free = (taken, middle) if _is_free(session, f"{stem}{middle}") else (middle, free)
    return free


def _check_free(session: Session, name: str, player: Player | None) -> None:
    """Raise BadRequest when `player` cannot have the name."""
    if shape(name).startswith(shape(_FORMER)):
        raise BadRequest(f"Names that begin with “{_FORMER}” are for deleted accounts. Choose another name.")
    if player is None or names.folded(player.name) != names.folded(name):
        names.check(name)
    if not _is_free(session, name, player):
        same = computer_characters.is_kept(name) or by_name(session, name) not in (None, player)
        taken = f"The name {name} {'is' if same else 'looks like one that is'} taken."
        raise BadRequest(f"{taken} Choose another, for example {free_name(session, name)}.")


def _is_free(session: Session, name: str, player: Player | None = None) -> bool:
    """Return whether a name is free for `player`: no other looks like it, and no computer player has it."""
    if computer_characters.looks_kept(name):
        return False
    alike = or_(Player.name_shape == shape(name), Player.name_key == name.casefold())
    return all(found is player for found in session.exec(select(Player).where(alike)))


def _add(action: ActionContext, email: str, name: str) -> Player:
    player = new_player(name, action.now)
    player.email = email
    action.session.add(player)
    action.session.flush()
    action.session.add(Address(email=email, player_id=identity(player), since=action.now))
    action.session.flush()
    return player


def new_player(name: str, now: datetime) -> Player:
    """Return a new player of this name, who is not stored yet."""
    return Player(name=name, name_key=name.casefold(), name_shape=shape(name), created_at=now)


def _call(player: Player, name: str) -> None:
    player.name, player.name_key, player.name_shape = name, name.casefold(), shape(name)


def identity(player: Player) -> int:
    """Return the number of a stored player; raises an error for one that is not stored."""
    if player.id is None:
        raise ValueError("the player is not stored yet")
    return player.id


def zone(player: Player) -> ZoneInfo:
    """Return the time zone of a player; UTC until it is known."""
    return ZoneInfo(player.zone or "UTC")
