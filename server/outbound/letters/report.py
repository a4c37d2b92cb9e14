"""Reports about turns, and digests of several reports."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.driver import begin
from rules.game import Step
from rules.reasons import Reason
from rules.records.turns import Left, Moved, Ordered, Turn
from rules.sentences import listed
from server.game.log import log, randomness, stored_entries
from server.game.play.proposals import PROPOSALS
from server.game.ratings.rating_change import rating_change
from server.game.terms import series
from server.game.terms.wording import deed, outcome_text
from server.game.views import history
from server.game.views.history import TurnView
from server.outbound.letters.context import Draft, Sources, TurnStatus, draft_of
from server.outbound.letters.subjects import preview, result_subject, state_line
from server.store.db import once
from server.store.letters.game import Digest, Report
from server.store.models import Entry
from server.tournaments import lists


@draft_of.register
def report(letter: Report, sources: Sources) -> Draft:
    """Return the report after a turn: the moves, the board and the next player."""
    game = sources.game
    labels = [seat.label for seat in sources.view.seats]
    played = _played(letter, sources)
    step, after = _as_of(letter, sources, played[-1][1] if played else None)
    standing = _standing_after(letter, sources, after)
    new = happened(letter, sources, played)
    begins, tournament = not letter.first and not letter.result, game.tournament_id
    is_first_or_last = begins or letter.result is not None
    told = {
        "summary": new.summary,
        "turns": new.turns,
        "series": series.view(sources.session, game, sources.view.players, over=letter.result is not None),
        "begins": begins,
        "tournament": lists.called(sources.session, tournament) if tournament and is_first_or_last else "",
        "primer": _primer(letter, sources),
        "board": replace(sources.board(after, step=step), is_now=not letter.result),
        "misses": list(letter.misses.items()),
        "aside": letter.aside,
        "said": _said(letter, sources, labels),
        "late": letter.messages is not None,
        "proposals": [(labels[seat], PROPOSALS[name]) for seat, name in letter.proposals],
        "rating": _rating(sources) if letter.result else "",
        "proofs": _proofs(letter, sources),
    }
    foot = (letter.entries, letter.head)
    draft = sources.draft(answers=standing.turn, standing=standing, foot=foot, actor=new.actor, told=told)
    return _headed(draft, letter, sources, new.summary)


def _played(letter: Report, sources: Sources) -> Sequence[tuple[Entry, Step[Any, Any]]]:
    """Return the turns of a report, cached because the reports of one turn are written one after another."""
    if not letter.last:
        return ()
    session, game, span = sources.session, sources.game, (max(letter.first, 1), letter.last)
    return once(session, "played", (game.id, *span), lambda: list(log.steps(session, game, *span)))


def _headed(draft: Draft, letter: Report, sources: Sources, summary: str) -> Draft:
    """Return the report with a preview and, at the end of a game, with the result as its subject."""
    view, standing = sources.view, draft.context["standing"]
    if letter.result:
        return replace(
            draft, subject=result_subject(view, letter.result), preview=preview(standing.result, summary)
        )
    state = "Write your orders" if view.simultaneous else "Your move"
    if view.me is not None and view.me.left:
        state = "You are out"
    elif not standing.mine:
        state = f"Waiting for {listed(seat.name for seat in standing.waiting)}"
    due = sources.soon(letter.due.get(sources.seat)) if standing.mine else ""
    return replace(draft, preview=state_line(state, summary, due))


@draft_of.register
def digest(letter: Digest, sources: Sources) -> Draft:
    """Return the digest with a report for each game."""
    parts = [sources.part(each) for each in letter.games]
    owed = sum(part.context["standing"].mine for part in parts)
    return Draft(
        "Your games: recent turns" if not owed else f"Your games: {owed} to move",
        {"parts": parts, "owed": owed},
        # A reply is for a game only if the digest has just one.
        reply=parts[0].reply if len(parts) == 1 else None,
    )


def _as_of(letter: Report, sources: Sources, step: Step[Any, Any] | None) -> tuple[Step[Any, Any] | None, Any]:
    """Return the last turn before the report and the position after it, with the dice of the next turn.

    `step` is the last turn in the report. If it is None (an imported game, or after a takeback), the turn comes
    from the log.
    """
    game, rules = sources.game, log.rules_of(sources.game)
    if step is None and letter.last:
        step = log.step(sources.session, game, letter.last)
    after = rules.start(game.options, game.setup) if step is None else step.after
    if rolled := letter.rolled:
        after, _ = begin(rules, after, lambda _: rolled)
    return step, after


def _standing_after(letter: Report, sources: Sources, position: Any) -> TurnStatus:
    """Return the status after the turns of a report."""
    rules = log.rules_of(sources.game)
    owing = () if letter.result else rules.to_move(position)
    examples = () if letter.result else sources.examples(position)
    return TurnStatus(
        turn=letter.last + 1,
        mine=sources.seat in owing,
        waiting=tuple(seat for seat in sources.view.seats if seat.number in owing),
        dice=tuple(letter.rolled or ()),
        due={seat: sources.moment(moment) for seat, moment in letter.due.items()},
        result=outcome_text(rules, letter.result, sources.names, sources.seat),
        examples=examples,
        meanings=sources.meanings(examples),
        on_board={} if letter.result else sources.on_board(position),
        lesson=sources.lesson(letter.last + 1) if sources.seat in owing else None,
    )


def _primer(letter: Report, sources: Sources) -> str:
    """Return the explanation of the game for its first email; "" in other emails and in guided games."""
    return (
        "" if letter.first or letter.result or sources.view.terms.guided else log.rules_of(sources.game).primer
    )


def _rating(sources: Sources) -> str:
    """Return the receiver's rating after the game in a sentence; "" if the game is not rated."""
    found = rating_change(sources.session, sources.game, sources.receiver.id or 0)
    return "" if found is None else found.words


def _said(letter: Report, sources: Sources, labels: list[str]) -> list[tuple[str, list[str]]]:
    """Return speakers with their lines: the message sent with the turn, or all deferred messages."""
    if letter.messages is None:
        if letter.speaker is None or not letter.said:
            return []
        return [(labels[letter.speaker], letter.said.splitlines())]
    deferred = history.messages_of(
        sources.session, sources.sealer, sources.game, labels, sources.seat, letter.messages
    )
    return [
        (
            f"{message.speaker} (only to you)" if message.to else message.speaker,
            message.text.splitlines(),
        )
        for message in deferred
    ]


def _proofs(letter: Report, sources: Sources) -> list[tuple[str, str]]:
    """Return the commitment to the receiver's last orders, and the seed or its hash, as proofs beside the hash
    of the log.
    """
    game, found = sources.game, _commitment(letter, sources)
    if not game.seed_hash:
        return found
    if letter.result:
        return [*found, ("seed", randomness.seed_of(sources.sealer, game).secret.hex())]
    return found if letter.first else [*found, ("hash of the seed", game.seed_hash)]


def _commitment(letter: Report, sources: Sources) -> list[tuple[str, str]]:
    """Return the commitment to the receiver's orders of the last turn; [] if they gave none."""
    if not letter.last or not sources.view.simultaneous or letter.undone:
        return []
    played = stored_entries.turn_of(sources.game, log.turn(sources.session, sources.game, letter.last))
    opened = (played.opened or {}).get(sources.seat)
    return [] if opened is None else [(f"your orders of turn {letter.last}", opened.commitment)]


_MOST_DEEDS = 3
_LONGEST = 200
"""Maximum number of turns and of characters in a summary; longer reports use a list."""

Turns = Sequence[tuple[Entry, Step[Any, Any]]]
"""The turns of a report, as the log has them."""


@dataclass(frozen=True)
class Happened:
    """The part of a report about past turns, for one receiver."""

    summary: str
    """The events in sentences: "Ben played a2."."""
    turns: tuple[TurnView, ...]
    """The parts of each turn that are not in the summary."""
    actor: int | None
    """The seat of another player who acted last or wrote a message; None for no player."""


def happened(letter: Report, sources: Sources, played: Turns) -> Happened:
    """Return the events of a report."""
    seats, names, me, rules = sources.view.seats, sources.names, sources.seat, log.rules_of(sources.game)
    turns = [stored_entries.turn_of(sources.game, entry).turn for entry, _ in played]
    told = [history.describe_turn(sources.game, *each, [seat.name for seat in seats], me) for each in played]
    deeds = [deed(rules, turn, names, me) for turn in turns]
    if len(deeds) > _MOST_DEEDS or sum(map(len, deeds)) > _LONGEST:
        deeds = [f"Turns {told[0].number} to {told[-1].number} were played."] if deeds[1:] else []
    else:
        told = [_rest(view, turn) for view, turn in zip(told, turns, strict=True)]
    if (
        letter.result
        and turns
        and (isinstance(turns[-1], Ordered) or (len(seats) == 2 and isinstance(turns[-1], Left)))
    ):
        deeds = deeds[:-1]
    begins = ["The game starts."] if not letter.first and not letter.result else []
    return Happened(
        " ".join([*_undone(letter, names, me), *begins, *deeds]),
        tuple(view for view in told if view.played or view.story),
        _actor(letter, turns, me),
    )


def _rest(view: TurnView, turn: Turn) -> TurnView:
    """Return the turn without its move, which is in the summary. Orders are not, so they stay."""
    return replace(view, played=()) if isinstance(turn, Moved | Left) else view


def _undone(letter: Report, names: Sequence[str], me: int) -> list[str]:
    undone = letter.undone
    if undone is None:
        return []
    who = "You have" if undone.seat == me else f"{names[undone.seat]} has"
    back = "The board is as it was before that turn."
    return [f"{who} taken back turn {undone.turn}; all players agreed. {back}"]


def _actor(letter: Report, turns: Sequence[Turn], me: int) -> int | None:
    # A timeout or the opening of orders has no actor.
    if letter.said and letter.speaker != me:
        return letter.speaker
    if letter.undone is not None:
        return letter.undone.seat
    for turn in reversed(turns):
        is_act = isinstance(turn, Moved) or (isinstance(turn, Left) and turn.reason is not Reason.TIMEOUT)
        if isinstance(turn, Moved | Left) and is_act and turn.seat != me:
            return turn.seat
    return None
