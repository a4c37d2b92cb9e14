"""However much a mail asks for, it is answered with one letter."""

from collections.abc import Sequence
from dataclasses import replace

from server.inbound.quotas import had_enough
from server.outbound.letters.shown import Show
from server.store.letters.account import LoginLink
from server.store.letters.letter import About, Answers, Put
from server.store.models import Player
from server.store.outbox import Action


def gathering(action: Action, *addresses: str) -> Action:
    """An action that keeps what is put for these addresses; `put_answers` puts it as one letter for each."""
    return replace(action, gathered={address: [] for address in addresses if address})


def put_answers(action: Action, answers: str, player: Player | None) -> str:
    """Put what was gathered while `player`'s mail, with the Message-ID `answers`, was carried out.

    Returns "", or a note for the operator that something is not answered, as enough was today.
    """
    plain, kept_back = replace(action, gathered={}), ""
    for recipient, gathered in action.gathered.items():
        letters = _once_each(gathered)
        always = [put for put in letters if put.letter.is_owed]
        if always != letters and had_enough(plain, recipient, player):
            letters, kept_back = always, "; not answered, as enough was today"
        _put_one(plain, recipient, letters, answers)
    return kept_back


def _once_each(gathered: Sequence[Put]) -> list[Put]:
    """The letters, each once; how a game stands comes last, after everything else was done in it."""
    once = [put for number, put in enumerate(gathered) if put not in gathered[:number]]
    return sorted(once, key=lambda put: isinstance(put.letter, Show))


def _put_one(action: Action, recipient: str, letters: Sequence[Put], answers: str) -> None:
    """One letter as it is, several as the parts of one."""
    if not letters:
        return
    player_id = next((put.player_id for put in letters if put.player_id is not None), None)
    first, *others = letters
    if not others:
        action.put(recipient, first.letter, first.about, player_id=player_id, answers=first.answers)
        return
    games = {put.about.game for put in letters if put.about is not None}
    about = About(games.pop()) if len(games) == 1 else None
    for put in letters:
        if isinstance(put.letter, LoginLink):
            action.put_nothing(recipient, LoginLink)  # it counts as one that is mailed alone
    action.put(recipient, Answers(tuple(letters)), about, player_id=player_id, answers=answers)
