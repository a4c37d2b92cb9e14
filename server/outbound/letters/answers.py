"""Everything that one mail asked for, as parts of one letter."""

from server.outbound.letters.drafts import Draft, Enclosed, Sources, draft_of
from server.store.letters.letter import Answers, name_of
from server.store.tokens import ReplyToken


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
