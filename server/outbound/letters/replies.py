"""The letters that answer what was asked of a game, and look up nothing."""

from dataclasses import dataclass, replace

from server.game.lobby.challenge_checks import MOST_FOR_ADDRESS
from server.game.log import log
from server.game.terms import game_types
from server.game.views import game_view
from server.outbound.letters.context import Draft, Enclosed, Sources, draft_of, template_fields
from server.outbound.letters.subjects import game_title
from server.store.letters.game import Invitation, Overdue, Receipt, Withdrawn
from server.store.letters.letter import Answers, Letter, name_of
from server.store.tokens import ReplyToken


@dataclass(frozen=True)
class Refusal(Letter):
    """A reply that could not be carried out."""

    is_answer = True
    tells_standing = True

    problem: str
    read: list[str]
    """The first lines of it."""
    choices: list[str]
    """What may have been meant."""
    stale: bool
    """Whether it was for an earlier turn."""


@dataclass(frozen=True)
class Beside(Letter):
    """Nothing but the notice line that something was written beside the commands of a mail."""

    is_answer = True


@dataclass(frozen=True)
class Conditions(Letter):
    """Conditional moves were read and are `kept`, a line each, or were dropped."""

    is_answer = True

    kept: list[str]


@dataclass(frozen=True)
class DrawNoted(Letter):
    """One's own offer of a draw stands."""

    is_answer = True
    tells_standing = True


@dataclass(frozen=True)
class UndoNoted(Letter):
    """One's own word that a move may be taken back was heard; not all have agreed yet."""

    is_answer = True
    tells_standing = True


@dataclass(frozen=True)
class ChallengeSent(Letter):
    """One's own challenge is on its way, or waits for one's own words for luck."""

    is_answer = True

    early: str
    """The words that came too early, before the hash of the seed was known."""


@dataclass(frozen=True)
class DeclinedByYou(Letter):
    """One's own "decline" was carried out."""

    is_answer = True


@dataclass(frozen=True)
class WordsReported(Letter):
    """Words of another player's were reported to the administrator."""

    is_answer = True

    speaker: int
    words: str


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
        **template_fields(letter, sources),
    )


@draft_of.register
def withdrawn(letter: Withdrawn, sources: Sources) -> Draft:
    """A reply to it is for the turn that the orders were for."""
    return sources.draft(answers=letter.turn, turn=letter.turn)


@draft_of.register
def invitation(letter: Invitation, sources: Sources) -> Draft:
    """Which game it is, as it was before it began, and the name that a stranger has here."""
    receiver = sources.receiver
    stranger = receiver.confirmed_at is None
    return sources.draft(
        foot=_NO_LOG,
        actor=letter.actor,
        view=replace(sources.view, since=sources.now),
        by=letter.by,
        players=letter.players or tuple(seat.name for seat in sources.view.seats),
        board=replace(game_view.first_board(sources.game), in_words=sources.view.board_in_words),
        about=game_types.about(sources.view.game_type),
        new_name=receiver.name if stranger else "",
        most_invitations=MOST_FOR_ADDRESS,
    )


@draft_of.register
def overdue(letter: Overdue, sources: Sources) -> Draft:
    """It has a subject of its own, as a reminder has."""
    return replace(sources.draft(by=letter.by), subject=f"Time is up: {game_title(sources.view)}")


@draft_of.register
def answers(letter: Answers, sources: Sources) -> Draft:
    """Each written as it would be alone."""
    drafts = [(put, sources.part(put)) for put in letter.parts]
    shown = [put.about.game if put.about and put.letter.tells_standing else None for put in letter.parts]
    parts = [
        Enclosed(
            name_of(type(put.letter)),
            draft,
            brief=shown[number] is not None and shown[number] in shown[number + 1 :],
        )
        for number, (put, draft) in enumerate(drafts)
    ]
    replies = [draft.reply for _, draft in drafts if isinstance(draft.reply, ReplyToken)]
    one_game = len({(reply.game, reply.seat) for reply in replies}) == 1
    about = [draft for _, draft in drafts if draft.reply is not None]
    return Draft(
        about[-1].subject if one_game else "Answers to your mail",
        {"parts": parts, "one_game": replies[0].game if one_game else None},
        # A reply can only be for a certain game if there is just one: then for the last turn it tells of.
        reply=max(replies, key=lambda reply: reply.turn) if one_game else None,
        log=max((draft.log for draft in about if draft.log), default=None) if one_game else None,
        attachments=tuple(attachment for _, draft in drafts for attachment in draft.attachments),
    )
