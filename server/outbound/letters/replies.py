"""Letters that answer commands about a game without further data."""

from dataclasses import replace

from server.game.lobby.challenge_checks import MOST_FOR_ADDRESS
from server.game.log import log
from server.game.play.proposals import PROPOSALS
from server.game.terms import game_types
from server.game.views import game_view
from server.outbound.letters.context import Draft, Enclosed, Sources, draft_of, template_fields
from server.outbound.letters.subjects import game_title
from server.store.letters.game import Invitation, Overdue, Proposed, Receipt, Withdrawn
from server.store.letters.letter import Answers, Letter, name_of
from server.store.tokens import ReplyToken


class Refusal(Letter):
    """A refusal of a reply about a game."""

    is_answer = True
    shows_state = True

    problem: str
    read: list[str]
    """The first lines of the reply."""
    choices: list[str]
    """Commands or moves that the sender may have meant."""
    stale: bool
    """Whether the reply was for an earlier turn."""
    failed: str = "Not done"
    """The beginning of the subject: "Not played", "Not sent", "Not understood"."""
    can_retry: bool = True
    """Whether another text may succeed."""

    def draft(self, sources: Sources) -> Draft:
        """Return the refusal; its subject says that the email had no effect."""
        view = sources.view
        draft = sources.draft(**template_fields(self, sources))
        return replace(draft, subject=f"{self.failed}: {view.title} {view.number}")


class Beside(Letter):
    """An answer with only a note about extra text between the commands of an email."""

    is_answer = True


class Conditions(Letter):
    """A confirmation of conditional moves; `kept` has a line for each, [] if they were deleted."""

    is_answer = True

    kept: list[str]


class ProposalNoted(Letter):
    """A confirmation of the receiver's proposal, or of their agreement; others have to agree."""

    is_answer = True
    shows_state = True

    proposal: str

    def draft(self, sources: Sources) -> Draft:
        """Return the confirmation, with the sentences of the proposal."""
        return sources.draft(proposal=PROPOSALS[self.proposal])


class ChallengeSent(Letter):
    """A confirmation of the receiver's challenge, which may still need their words for luck."""

    is_answer = True

    early: str
    """Words for luck that were sent too early, before the hash of the seed was known."""


class DeclinedByYou(Letter):
    """A confirmation that the receiver declined."""

    is_answer = True


class WordsReported(Letter):
    """A confirmation that the receiver reported a message of another player."""

    is_answer = True

    speaker: int
    words: str


_NO_LOG = (0, "")


@draft_of.register
def receipt(letter: Receipt, sources: Sources) -> Draft:
    """Return the confirmation of orders, with a board that shows them."""
    game, rules = sources.game, log.rules_of(sources.game)
    before = rules.read(game.options, letter.position)
    plan = rules.parse(before, sources.seat, letter.orders)
    return sources.draft(
        answers=letter.turn,
        board=sources.board(before, plan=plan),
        **template_fields(letter, sources),
    )


@draft_of.register
def withdrawn(letter: Withdrawn, sources: Sources) -> Draft:
    """Return the confirmation; a reply is for the turn of the withdrawn orders."""
    return sources.draft(answers=letter.turn, turn=letter.turn)


@draft_of.register
def invitation(letter: Invitation, sources: Sources) -> Draft:
    """Return the invitation: the game before its start and, for a stranger, their name on this server."""
    receiver = sources.receiver
    stranger = receiver.confirmed_at is None
    return sources.draft(
        foot=_NO_LOG,
        actor=letter.actor,
        view=replace(sources.view, since=sources.now),
        by=letter.by,
        players=letter.players or tuple(seat.name for seat in sources.view.seats),
        board=replace(game_view.first_board(sources.game), in_words=sources.view.board_in_words),
        about=game_types.game_type_view(sources.view.game_type).about,
        new_name=receiver.name if stranger else "",
        most_invitations=MOST_FOR_ADDRESS,
    )


@draft_of.register
def proposed(letter: Proposed, sources: Sources) -> Draft:
    """Return the notification, with the sentences of the proposal."""
    proposal = PROPOSALS[letter.proposal]
    return sources.draft(actor=letter.actor, by=letter.by, turn=letter.turn, proposal=proposal)


@draft_of.register
def overdue(letter: Overdue, sources: Sources) -> Draft:
    """Return the notification with its own subject."""
    return replace(sources.draft(by=letter.by), subject=f"Time is up: {game_title(sources.view)}")


@draft_of.register
def answers(letter: Answers, sources: Sources) -> Draft:
    """Return all answers as parts of one letter."""
    drafts = [(each, sources.part(each)) for each in letter.parts]
    shown = [each.about.game if each.about and each.letter.shows_state else None for each in letter.parts]
    parts = [
        Enclosed(
            name_of(type(each.letter)),
            draft,
            brief=shown[number] is not None and shown[number] in shown[number + 1 :],
        )
        for number, (each, draft) in enumerate(drafts)
    ]
    replies = [draft.reply for _, draft in drafts if isinstance(draft.reply, ReplyToken)]
    one_game = len({(reply.game, reply.seat) for reply in replies}) == 1
    about = [draft for _, draft in drafts if draft.reply is not None]
    return Draft(
        about[-1].subject if one_game else "Answers to your email",
        {"parts": parts, "one_game": replies[0].game if one_game else None},
        # A reply is for a game only if all answers are about the same one; then it is for their latest turn.
        reply=max(replies, key=lambda reply: reply.turn) if one_game else None,
        log=max((draft.log for draft in about if draft.log), default=None) if one_game else None,
        attachments=tuple(attachment for _, draft in drafts for attachment in draft.attachments),
    )
