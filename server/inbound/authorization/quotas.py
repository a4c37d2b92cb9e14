"""Limits on answers, so that forged emails cannot cause endless answers to the forged address.

Answers to uncertain senders (`ActionContext.doubtful`) are counted separately, so that they do not use up the
limit of the real owner.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, false, func, or_
from sqlmodel import col, select

from server.accounts.newcomers import is_known, of_strangers
from server.outbound.letters import LETTERS
from server.outbound.letters.account import Asked
from server.outbound.letters.help import Hello, RefusalAccount
from server.outbound.letters.replies import Refusal
from server.store.db import count_rows
from server.store.letters.letter import Letter, name_of
from server.store.models import Outbox, Player
from server.store.outbox import ActionContext

MOST_ANSWERS = 100
"""The most answers to a player in a day, not counting those to moves."""
MOST_TO_STRANGER = 4
"""The most answers in a day to the address of a stranger."""
MOST_REFUSALS = 40
"""The most refusals among the answers to a player."""
MOST_ALIKE = 2
"""The most refusals of the same text, with nothing carried out in between."""
MOST_IN_VAIN = 20
"""The most refusals of all, with nothing carried out in between."""
MOST_GREETINGS = 3
"""The most answers to greetings."""
MOST_QUESTIONS = 10
"""The most questions to a player whether an email is theirs."""
MOST_QUESTIONS_TO_OTHERS = 2
"""The most such questions to a stranger, or to a player who wants no emails."""
MOST_DOUBTFUL = 20
"""The most answers to a player in a day to emails with an uncertain sender, counted separately."""
MOST_DOUBTFUL_REFUSALS = 5
"""The most refusals among those."""
MOST_BY_NETWORK = 30
"""The most answers in a day to strangers whose emails come from one network."""
MOST_BY_DOMAIN = 200
"""The most answers in a day to strangers with addresses of one domain."""
MOST_TO_STRANGERS = 2000
"""The most answers in a day to all strangers."""
_DAY = timedelta(days=1)


def had_enough(action: ActionContext, recipient: str, *, known: bool) -> bool:
    """Return True if an address has received the most answers allowed in a day.

    If it is not `known` as a player's, also if all strangers of its network or domain have.
    """
    of_player = MOST_DOUBTFUL if action.doubtful else MOST_ANSWERS
    if _answered(action, recipient) >= (of_player if known else MOST_TO_STRANGER):
        return True
    if known:
        return False
    by_network, by_domain, in_all = of_strangers(action, recipient, _answers(), _DAY)
    return by_network >= MOST_BY_NETWORK or by_domain >= MOST_BY_DOMAIN or in_all >= MOST_TO_STRANGERS


def had_enough_refusals(action: ActionContext, recipient: str, letter: type[Letter], *, known: bool) -> bool:
    """Return True if an address got the most letters of this class allowed in a day; a stranger gets one."""
    of_player = MOST_DOUBTFUL_REFUSALS if action.doubtful else MOST_REFUSALS
    of_player = MOST_GREETINGS if letter is Hello else of_player
    most = of_player if known else 1
    return _answered(action, recipient, letter) >= most or had_enough(action, recipient, known=known)


MACHINE = "its sender seems to be a machine"


def seems_machine(
    action: ActionContext, recipient: str, letter: Refusal | RefusalAccount, writer: int | None
) -> bool:
    """Return True if the sender seems to be a program that answers every email from Nabu.

    It has sent this text several times, or many texts, without any effect. Then no refusal is sent to it today,
    until an email from it has an effect.
    """
    earlier = _refusals(action, recipient, col(Outbox.created_at) > _last_done(action, recipient, writer))
    alike = [row for row in earlier if action.sealer.open_json(row.sealed)["read"] == letter.read]
    return len(alike) >= MOST_ALIKE or len(earlier) >= MOST_IN_VAIN


def is_silenced(action: ActionContext, recipient: str, writer: int | None) -> bool:
    """Return whether an address gets no refusals today, as it seemed to be a program (see `seems_machine`)."""
    silenced = _refusals(action, recipient, col(Outbox.error) == MACHINE)
    return any(row.created_at > _last_done(action, recipient, writer) for row in silenced)


def _refusals(action: ActionContext, recipient: str, *which: ColumnElement[bool]) -> Sequence[Outbox]:
    """Return the refusals for an address today, of those as doubtful as this one."""
    query = select(Outbox).where(
        Outbox.recipient == recipient,
        col(Outbox.letter).in_([name_of(letter) for letter in (Refusal, RefusalAccount)]),
        col(Outbox.doubtful).is_(action.doubtful),
        col(Outbox.created_at) > action.now - _DAY,
        *which,
    )
    return action.session.exec(query.limit(MOST_REFUSALS)).all()


def _last_done(action: ActionContext, recipient: str, writer: int | None) -> datetime:
    """Return when something was last mailed because an email from an address was carried out."""
    answers = col(Outbox.recipient) == recipient, col(Outbox.letter).in_(_answers())
    caused = or_(and_(*answers), col(Outbox.actor_id) == writer if writer is not None else false())
    in_vain = [name_of(letter) for letter in (Refusal, RefusalAccount, Hello, Asked)]
    since = action.now - _DAY
    wanted = caused, col(Outbox.letter).not_in(in_vain), col(Outbox.created_at) > since
    return action.session.exec(select(func.max(Outbox.created_at)).where(*wanted)).one() or since


def had_enough_questions(action: ActionContext, recipient: str, player: Player | None) -> bool:
    """Return True if an address was asked to confirm the most emails allowed in a day."""
    wants_mail = player is not None and is_known(player) and not player.mail_stopped
    most = MOST_QUESTIONS if wants_mail else MOST_QUESTIONS_TO_OTHERS
    return _answered(action, recipient, Asked) >= most or had_enough(action, recipient, known=is_known(player))


def _answers() -> tuple[str, ...]:
    """Return the names of all letters that answer an email."""
    return tuple(name for name, letter in LETTERS.items() if letter.is_answer)


def _answered(action: ActionContext, recipient: str, *letters: type[Letter]) -> int:
    """Return the number of these answers, or of all, to an address today, of those as doubtful as this one."""
    return count_rows(
        action.session,
        col(Outbox.recipient) == recipient,
        col(Outbox.letter).in_([name_of(letter) for letter in letters] or _answers()),
        col(Outbox.doubtful).is_(action.doubtful),
        col(Outbox.created_at) > action.now - _DAY,
    )
