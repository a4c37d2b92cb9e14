"""What letters that a game puts look up, apart from the report."""

from dataclasses import replace

from server.game import kinds, log, views
from server.game.limits import MOST_FOR_ADDRESS
from server.outbound.letters.drafts import Draft, Sources, draft_of, shown
from server.outbound.letters.heading import named
from server.store.letters.game import Invitation, Overdue, Receipt, Withdrawn

_NO_LOG = (0, "")


@draft_of.register
def receipt(letter: Receipt, sources: Sources) -> Draft:
    """The board with the orders."""
    game, rules = sources.game, log.rules_of(sources.game)
    before = rules.read(game.options, letter.position)
    plan = rules.parse(before, sources.seat, letter.orders)
    return sources.draft(
        answers=letter.turn,
        board=sources.board(before, plan=plan),
        **shown(letter, sources),
    )


@draft_of.register
def withdrawn(letter: Withdrawn, sources: Sources) -> Draft:
    """A reply to it is for the turn that the orders were for."""
    return sources.draft(answers=letter.turn, turn=letter.turn)


@draft_of.register
def invitation(letter: Invitation, sources: Sources) -> Draft:
    """What kind of game it is, as it was before it began, and the name that a stranger has here."""
    receiver = sources.receiver
    stranger = receiver.confirmed_at is None
    return sources.draft(
        foot=_NO_LOG,
        actor=letter.actor,
        view=replace(sources.view, since=sources.now),
        by=letter.by,
        players=letter.players or tuple(seat.name for seat in sources.view.seats),
        board=replace(views.first_board(sources.game), in_words=sources.view.board_in_words),
        about=kinds.about(sources.view.kind),
        new_name=receiver.name if stranger else "",
        most_invitations=MOST_FOR_ADDRESS,
    )


@draft_of.register
def overdue(letter: Overdue, sources: Sources) -> Draft:
    """It has a subject of its own, as a reminder has."""
    return replace(sources.draft(by=letter.by), subject=f"Time is up: {named(sources.view)}")
