"""Players: who they are, what they are called, where their mail goes."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, select

from mail.addresses import BadAddress, normalise, same_mailbox
from server.errors import BadRequest
from server.models import Address, Player
from server.outbox import Post

COMPUTER = "Enkidu"
"""The name of the computer, which nobody else can have."""
_STEM = 24
"""Characters of a name of our making, before a number that tells it from others."""
_NAME = re.compile(r"[^\W_][\w.' -]{0,28}[\w.]|[^\W\d_]")


def by_email(session: Session, email: str) -> Player | None:
    """The player with this (normalised) address."""
    address = session.get(Address, email)
    return None if address is None else session.get(Player, address.player_id)


def writes_from(session: Session, player: Player, email: str) -> bool:
    """Whether an address is one of the player's."""
    if email == player.email:
        return True
    address = session.get(Address, email)
    return address is not None and address.player_id == player.id


def by_name(session: Session, name: str) -> Player | None:
    """The player of this name; case does not matter."""
    return session.exec(select(Player).where(Player.name_key == name.casefold())).first()


def register(post: Post, email: str, name: str) -> Player:
    """Make the owner of an address a player, or give his invited self a name, and welcome him."""
    player = by_email(post.session, email)
    if player is not None and player.confirmed_at is not None:
        raise BadRequest(f"This address is registered already, as {player.name}.")
    name = check_name(name)
    _check_free(post.session, name, player)
    if player is None:
        player = _add(post, email, name)
    player.name, player.name_key = name, name.casefold()
    player.confirmed_at, player.mail_stopped = post.now, False
    post.put_to_player(player, "welcome", name=name)
    return player


def add_address(session: Session, player: Player, email: str) -> None:
    """Let a player write from another address, too, unless it is somebody's already."""
    if session.get(Address, email) is None:
        session.add(Address(email=email, player_id=identity(player)))


def rename(session: Session, player: Player, name: str) -> None:
    """Give a player another name; raises BadRequest for one that is taken or cannot be used."""
    name = check_name(name)
    _check_free(session, name, player)
    player.name, player.name_key = name, name.casefold()


def invite(post: Post, email: str, own: str) -> Player:
    """The player with this address; someone new becomes one, unconfirmed, with a name of our making."""
    email = check_address(email, own)
    return by_email(post.session, email) or _add(post, email, free_name(post.session, email.partition("@")[0]))


def stop_mail(post: Post, email: str, own: str) -> None:
    """Mail nothing more to an address but answers to its own mails; a stranger is kept like one invited."""
    invite(post, email, own).mail_stopped = True


def wants_nothing(player: Player | None) -> bool:
    """Whether somebody who has never done anything here himself has said that he wants no mail."""
    return player is not None and player.mail_stopped and player.confirmed_at is None


def confirm(player: Player, now: datetime) -> None:
    """Note that a player has done something himself."""
    if player.confirmed_at is None:
        player.confirmed_at = now


def is_computer(name: str) -> bool:
    """Whether a name is that of the computer."""
    return name.casefold() == COMPUTER.casefold()


def add_computer(post: Post) -> Player:
    """The computer, made when it is not there yet."""
    player = post.session.exec(select(Player).where(col(Player.computer).is_(True))).first()
    if player is None:
        player = Player(
            name=COMPUTER,
            name_key=COMPUTER.casefold(),
            computer=True,
            created_at=post.now,
            confirmed_at=post.now,
        )
        post.session.add(player)
        post.session.flush()
    return player


def check_name(name: str) -> str:
    """The name with single spaces; raises BadRequest for one that cannot be used."""
    name = " ".join(name.split())
    if not _NAME.fullmatch(name):
        raise BadRequest(
            f"{name[:40]!r} cannot be a name: 1 to 30 letters, digits, spaces, dots, hyphens or apostrophes, "
            "with a letter or digit at both ends."
        )
    return name


def check_address(email: str, own: str) -> str:
    """The address, normalised; raises BadRequest for one that is none, or is that of `own`, our mailbox."""
    try:
        email = normalise(email)
    except BadAddress as error:
        raise BadRequest(str(error)) from None
    if same_mailbox(email, own):
        raise BadRequest(f"{email} is an address of this server, not of a player.")
    return email


def free_name(session: Session, wanted: str) -> str:
    """A name like the wanted one that nobody has, and that everybody can write."""
    words = re.sub(r"[^\w.' -]|_", " ", wanted).split()
    stem = " ".join(words).title()[:_STEM].strip(" .'-")
    stem = stem if _NAME.fullmatch(stem) else "Player"
    name = stem
    if not _is_free(session, name):
        name = f"{stem}{_free_number(session, stem)}"
    return name


def _free_number(session: Session, stem: str) -> int:
    """A number with which nobody has the name, though the one before is taken: few looks, however many are."""
    taken, free = 1, 2
    while not _is_free(session, f"{stem}{free}"):
        taken, free = free, 2 * free
    while free - taken > 1:
        middle = (taken + free) // 2
        taken, free = (taken, middle) if _is_free(session, f"{stem}{middle}") else (middle, free)
    return free


def _check_free(session: Session, name: str, player: Player | None) -> None:
    """Raise BadRequest when `player` cannot have the name."""
    if not _is_free(session, name, player):
        raise BadRequest(
            f"The name {name} is taken. Choose another one, for example {free_name(session, name)}."
        )


def _is_free(session: Session, name: str, player: Player | None = None) -> bool:
    """Whether nobody other than `player` has the name, and it is not kept for the computer."""
    return not is_computer(name) and by_name(session, name) in (None, player)


def _add(post: Post, email: str, name: str) -> Player:
    player = Player(name=name, name_key=name.casefold(), email=email, created_at=post.now)
    post.session.add(player)
    post.session.flush()
    post.session.add(Address(email=email, player_id=identity(player)))
    post.session.flush()
    return player


def identity(player: Player) -> int:
    """The number of a player who is stored."""
    if player.id is None:
        raise ValueError("the player is not stored yet")
    return player.id


def zone(player: Player) -> ZoneInfo:
    """The time zone that a player reads moments in."""
    return ZoneInfo(player.zone)
