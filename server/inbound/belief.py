"""How far we believe that a mail is from whom it says, and what that is enough for."""

from collections.abc import Collection, Iterable
from enum import Enum

from mail.believing.authenticating import Verdict
from mail.believing.covering import Share
from server.game.commands.reading import Command
from server.game.commands.word import Effect


class Belief(Enum):
    """What speaks for a mail being from the address in From."""

    DENIED = "its domain says that it is not, or nobody could tell"
    UNKNOWN = "nothing"
    ADDRESSED = "nothing but the address to which it was written, which was mailed to them alone"
    VOUCHED = "its domain"

    @property
    def doubtful(self) -> bool:
        """Whether anyone can have written such a mail."""
        return self in (Belief.DENIED, Belief.UNKNOWN)


_ENOUGH = {Belief.UNKNOWN: {Effect.READS}, Belief.ADDRESSED: {Effect.READS, Effect.PLAYS}}
"""What commands may do then; with the domain's word for it, anything, and if that is denied, nothing."""


def belief_in(verdict: Verdict, *, knows_address: bool, acted_on: Collection[Share] = ()) -> Belief:
    """How far to believe a mail; `knows_address` says that it came to a reply address of ours.

    A Message-ID that it answers is worth less than the address: a forward repeats it, and so does whoever
    answers all. `acted_on` is what decides, besides the text, what is done: that must be the sender's, too.
    """
    if verdict.dmarc not in ("pass", "none"):
        return Belief.DENIED
    if verdict.vouched and verdict.proved.issuperset(acted_on):
        return Belief.VOUCHED
    return Belief.ADDRESSED if knows_address else Belief.UNKNOWN


def is_enough(belief: Belief, commands: Iterable[Command], *, sealed: bool = False) -> bool:
    """Whether commands may be carried out without asking the player whether they wrote them.

    `sealed` says that the player's orders for this turn are sealed already: other orders would replace them.
    """
    if belief in (Belief.VOUCHED, Belief.DENIED):
        return belief is Belief.VOUCHED
    return all(_effect(command, sealed=sealed) in _ENOUGH[belief] for command in commands)


def _effect(command: Command, *, sealed: bool) -> Effect:
    return Effect.CHANGES if sealed and command.word.is_of_moves else command.word.effect
