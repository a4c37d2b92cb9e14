"""Sentences about games for emails and pages."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rules.game import PASS, Json, Rules
from rules.reasons import LEAVING, REASONS, Reason
from rules.records.turns import Left, Moved, Ordered, Turn, read_result
from rules.registry import rules_named
from rules.result import Result
from rules.sentences import listed


def options_text(game_type: str, options: Json) -> str:
    """Return the options of a game in one line: "12 by 12 squares, 3 troops each"; "" for none."""
    return ", ".join(_option_text(game_type, name, value) for name, value in options.items())


def _option_text(game_type: str, name: str, value: object) -> str:
    """Return an option in the words of forms, or with its name if it has none."""
    option = rules_named(game_type).offered.get(name)
    return (option.words.get(value) if option else None) or f"{name} {value}"


def meanings_of(rules: Rules[Any, Any], examples: Sequence[str]) -> str:
    """Return sentences that explain the examples which are words: "“hold”: all your troops stay."."""
    return " ".join(f"“{text}”: {rules.meanings[text]}." for text in examples if text in rules.meanings)


def points(value: float) -> str:
    """Return a score as text: "2½", "½", "0"."""
    whole = int(value)
    return f"{whole if whole or value == whole else ''}{'½' if value - whole == 0.5 else ''}"


def labelled(name: str, title: str) -> str:
    """Return "Ann (Black)", or just the name if there is no title yet or it equals the name."""
    return f"{name} ({title})" if title not in ("", name) else name


def turn_lines(turn: Turn, names: Sequence[str]) -> list[str]:
    """Return a turn as text for the history, one line for each seat that moved: "Ann (Black): c4"."""
    match turn:
        case Left(seat, reason):
            how = "ran out of time" if reason is Reason.TIMEOUT else reason
            return [f"{names[seat]} {how}."]
        case Ordered():
            orders = turn.texts()
            return [f"{name}: {orders.get(seat, 'no orders')}" for seat, name in enumerate(names)]
        case Moved(seat, move, dice):
            rolled = f" rolled {' and '.join(map(str, dice))}" if dice else ""
            return [f"{names[seat]}{rolled}: {move}"]


def seen_by(rules: Rules[Any, Any], viewer: int | None, turn: Turn) -> Turn:
    """Return a turn with the names of places as the player in seat `viewer` sees them; None is a spectator.

    In some games both players number the board from their own side.
    """
    if viewer is None or not isinstance(turn, Moved):
        return turn
    return replace(turn, move=rules.seen_by(viewer, turn.seat, turn.move))


def deed(rules: Rules[Any, Any], turn: Turn, names: Sequence[str], viewer: int) -> str:
    """Return a turn as a sentence to the player in seat `viewer`: "Ben took a2.", "You resigned."."""
    match turn:
        case Left(seat, reason):
            how = "ran out of time" if reason is Reason.TIMEOUT else reason
            return f"{_who(seat, names, viewer)} {how}."
        case Ordered():
            given = turn.texts()
            missing = [seat for seat in range(len(names)) if seat not in given]
            if not given or not missing:
                return "All orders were opened." if given else "No player gave orders."
            who = listed("you" if seat == viewer else names[seat] for seat in missing)
            return f"The orders were opened; {who} gave none."
        case Moved(seat, _, dice):
            move = rules.seen_by(viewer, seat, turn.move)
            rolled = f"rolled {' and '.join(map(str, dice))} and " if dice else ""
            return f"{_who(seat, names, viewer)} {rolled}{'passed' if move == PASS else rules.deed(move)}."


def _who(seat: int, names: Sequence[str], viewer: int) -> str:
    return "You" if seat == viewer else names[seat]


def result_text(rules: Rules[Any, Any], result: Json | None, names: Sequence[str]) -> str:
    """Return the result of a game in a sentence or two; "" while it goes on."""
    found = read_result(result, len(names))
    if found is None:
        return ""
    winners, reason = [names[seat] for seat in found.winners], _reason(rules, found.reason, len(names))
    if not winners:
        ended = f"No winner: {reason}."
    elif len(winners) == 1:
        ended = f"{winners[0]} wins: {reason}."
    else:
        ended = f"A draw between {listed(winners)}: {reason}."
    return " ".join([ended, *_table_of(rules, found, names)])


def outcome_text(rules: Rules[Any, Any], result: Json | None, names: Sequence[str], viewer: int) -> str:
    """Return the result to the player in seat `viewer`: "You won: Ann resigned."; "" while the game goes on."""
    found = read_result(result, len(names))
    if found is None:
        return ""
    if found.reason == Reason.AGREED_DRAW:
        ended = "The game is a draw, as agreed."
    elif len(found.winners) > 1:
        ended = f"The game is a draw: {_reason(rules, found.reason, len(names))}."
    elif found.winners:
        (winner,) = found.winners
        ended = f"{_who(winner, names, viewer)} won: {_reason_to(rules, found, names, viewer)}."
    else:
        ended = f"No winner: {_reason(rules, found.reason, len(names))}."
    return " ".join([ended, *_table_of(rules, found, names)])


def _reason_to(rules: Rules[Any, Any], result: Result, names: Sequence[str], viewer: int) -> str:
    """Return the reason of a win as half a sentence; of two players it names the one who left."""
    if len(names) != 2 or result.reason not in LEAVING:
        return _reason(rules, result.reason, len(names))
    (loser,) = {0, 1}.difference(result.winners)
    how = "ran out of time" if result.reason == Reason.TIMEOUT else result.reason
    return f"{'you' if loser == viewer else names[loser]} {how}"


def _reason(rules: Rules[Any, Any], reason: str, seats: int) -> str:
    """Return a reason as half a sentence; the words of the rules take precedence."""
    if seats > 2 and reason in LEAVING:
        return "all others have left"
    if reason in rules.reasons:
        return rules.reasons[reason]
    return REASONS[reason].words if reason in REASONS else reason


def _table_of(rules: Rules[Any, Any], result: Result, names: Sequence[str]) -> list[str]:
    """Return sentences with the administrator's reason, the scores, and the final order."""
    said = [f"Reason: {result.why}"] if result.why else []
    if result.scores:
        counted = zip(names, result.scores, strict=True)
        said.append(f"{rules.scored}: {', '.join(f'{name} {score}' for name, score in counted)}.".lstrip(": "))
    if result.places and len(result.places) > 2:
        said.append(f"Final order: {', '.join(names[seat] for seat in result.places)}.")
    return said
