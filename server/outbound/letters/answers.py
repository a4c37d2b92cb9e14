"""All that one mail asked for, as parts of one letter."""

from dataclasses import replace
from typing import Any

from server.outbound.letters.drafts import LETTERS, Draft, Part, Sources, letter
from server.store.models import Game
from server.store.tokens import ReplyToken

STANDS = frozenset(
    {"draw_noted", "draw_offered", "help_game", "history", "moves", "refusal", "show"}
    | {"undo_asked", "undo_noted", "withdrawn"}
)
"""Letters that end with how the game stands."""


@letter
def answers(sources: Sources) -> Draft:
    """All answers to one mail, one below the other, written as each would be alone."""
    drafts = [(item, _draft(sources, item)) for item in sources.what["parts"]]
    shown = [item["game"] if item["letter"] in STANDS else None for item, _ in drafts]
    parts = [
        Part(item["letter"], draft, brief=shown[number] is not None and shown[number] in shown[number + 1 :])
        for number, (item, draft) in enumerate(drafts)
    ]
    replies = [draft.reply for _, draft in drafts if isinstance(draft.reply, ReplyToken)]
    one_game = len({(reply.game, reply.seat) for reply in replies}) == 1
    about = [draft for _, draft in drafts if draft.reply is not None]
    return Draft(
        about[-1].subject if one_game else "Answers to your mail",
        {"parts": parts, "one_game": replies[0].game if one_game else None},
        # An answer can only be for a certain game where there is only one: for its last turn that is told.
        reply=max(replies, key=lambda reply: reply.turn) if one_game else None,
        log=max((draft.log for draft in about if draft.log), default=None) if one_game else None,
        attachments=tuple(attachment for _, draft in drafts for attachment in draft.attachments),
    )


def _draft(sources: Sources, item: dict[str, Any]) -> Draft:
    game = None if item["game"] is None else sources.session.get_one(Game, item["game"])
    return LETTERS[item["letter"]](replace(sources, about=game, what=item["what"]))
