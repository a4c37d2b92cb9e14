"""How much is answered: nobody has others mailed without end who writes their addresses into their mails.

Nor do they use up what is theirs: what anybody can have asked for (`Action.doubtful`) counts apart.
"""

from dataclasses import replace
from datetime import timedelta
from ipaddress import ip_address, ip_network

from sqlalchemy import case
from sqlmodel import col, func, select

from mail.incoming.peers import is_elsewhere, network_of
from server.errors import BadRequest
from server.store.letters.account import Asked, RegisterLink, Welcome
from server.store.letters.letter import LETTERS, Letter, name_of
from server.store.models import Outbox, Player
from server.store.outbox import Action
from server.store.sealing import Sealer

MOST_ANSWERS = 100
"""Mailed to a player in a day, but for those to moves."""
MOST_TO_STRANGER = 4
"""Answers mailed in a day to an address that is no player's."""
MOST_REFUSALS = 10
"""Of the answers to a player those that say what is wrong."""
MOST_QUESTIONS = 10
"""Of them those that ask them whether a mail is theirs."""
MOST_QUESTIONS_TO_OTHERS = 2
"""The same, to somebody who has never done anything here, or wants no mail."""
MOST_DOUBTFUL = 20
"""Answers mailed to a player in a day, apart from the others, to what anybody can have written."""
MOST_DOUBTFUL_REFUSALS = 5
"""Of those the ones that say what is wrong."""
MOST_BY_NETWORK = 30
"""Answers mailed in a day to strangers whose mails come from one network."""
MOST_BY_DOMAIN = 200
"""The same for strangers with addresses of one domain."""
MOST_TO_STRANGERS = 2000
"""The same for all strangers."""
MOST_NEW_BY_NETWORK = 20
"""People who become players in an hour, or are mailed a link for it, as somebody in one network says."""
MOST_NEW_BY_DOMAIN = 100
"""The same with addresses of one domain."""
MOST_NEW = 1000
"""The same in all."""

_NEW = (name_of(RegisterLink), name_of(Welcome))
_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)


def by_stranger(action: Action, peer: str) -> Action:
    """A post with which it is noted that a stranger had the letters mailed, and from which network.

    `peer` is the IP address of their computer, or of the mail server that brought their mail; "" for none
    known.
    """
    return replace(action, origin=origin(action.sealer, peer))


def origin(sealer: Sealer, peer: str) -> str:
    """A keyed hash of the network of a computer; "" for this one, and where none is known."""
    if not is_elsewhere(peer):
        return ""
    address = ip_address(network_of(peer).partition("/")[0])
    return sealer.mark(f"network {ip_network((address, 24 if address.version == 4 else 48), strict=False)}")


def had_enough(action: Action, recipient: str, player: Player | None) -> bool:
    """Whether so much was answered today to an address, or to strangers like this one, that nothing more is."""
    known = is_known(player)
    of_player = MOST_DOUBTFUL if action.doubtful else MOST_ANSWERS
    if _answered(action, recipient) >= (of_player if known else MOST_TO_STRANGER):
        return True
    if known:
        return False
    by_network, by_domain, in_all = _of_strangers(action, recipient, _answers(), _DAY)
    return by_network >= MOST_BY_NETWORK or by_domain >= MOST_BY_DOMAIN or in_all >= MOST_TO_STRANGERS


def had_enough_refusals(action: Action, recipient: str, letter: type[Letter], player: Player | None) -> bool:
    """Whether an address was told often enough today what is wrong: a stranger once.

    Others could have us pester them.
    """
    of_player = MOST_DOUBTFUL_REFUSALS if action.doubtful else MOST_REFUSALS
    most = of_player if is_known(player) else 1
    return _answered(action, recipient, letter) >= most or had_enough(action, recipient, player)


def had_enough_questions(action: Action, recipient: str, player: Player | None) -> bool:
    """Whether an address was asked often enough today whether a mail is from there."""
    wants_mail = player is not None and is_known(player) and not player.mail_stopped
    most = MOST_QUESTIONS if wants_mail else MOST_QUESTIONS_TO_OTHERS
    return _answered(action, recipient, Asked) >= most or had_enough(action, recipient, player)


def check_rush(action: Action, email: str, otherwise: str = "") -> None:
    """Raise BadRequest when enough people became players in the last hour: from one place, or in all.

    `otherwise` is what else can be done, as the end of a sentence.
    """
    by_network, by_domain, in_all = _of_strangers(action, email, _NEW, _HOUR)
    if by_network >= MOST_NEW_BY_NETWORK or by_domain >= MOST_NEW_BY_DOMAIN or in_all >= MOST_NEW:
        raise BadRequest(f"Too many people want to become players just now. Try again in an hour{otherwise}.")


def is_known(player: Player | None) -> bool:
    """Whether somebody is a player: has done something here themselves."""
    return player is not None and player.confirmed_at is not None


def _answers() -> tuple[str, ...]:
    """The names of all letters that are mailed because a mail asked for them."""
    return tuple(name for name, letter in LETTERS.items() if letter.is_answer)


def _answered(action: Action, recipient: str, *letters: type[Letter]) -> int:
    """How many of these answers, or of all, an address was mailed today: of those as doubtful as this one."""
    query = select(func.count()).where(
        col(Outbox.recipient) == recipient,
        col(Outbox.letter).in_([name_of(letter) for letter in letters] or _answers()),
        col(Outbox.doubtful).is_(action.doubtful),
        col(Outbox.created_at) > action.now - _DAY,
    )
    return action.session.exec(query).one()


def _of_strangers(
    action: Action, email: str, letters: tuple[str, ...], within: timedelta
) -> tuple[int, int, int]:
    """How many of these letters strangers had mailed: from the same network, to the same domain, in all.

    Those are counted that are as doubtful as this one.
    """
    same_network = col(Outbox.origin) == (action.origin or None)
    same_domain = col(Outbox.domain) == email.rpartition("@")[2]
    query = select(
        func.coalesce(func.sum(case((same_network, 1), else_=0)), 0),
        func.coalesce(func.sum(case((same_domain, 1), else_=0)), 0),
        func.count(),
    ).where(
        col(Outbox.origin).is_not(None),
        col(Outbox.doubtful).is_(action.doubtful),
        col(Outbox.letter).in_(letters),
        col(Outbox.created_at) > action.now - within,
    )
    return action.session.exec(query).one()
