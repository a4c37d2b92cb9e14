"""Verification of a record by its own log and by the rules, without asking the server that wrote it.

`docs/verify.md` explains the checks, their order and their purpose.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from rules import driver
from rules.errors import BadData
from rules.limits import MOST_HEADS, MOST_TURNS
from rules.reasons import LEAVING, REASONS, Reason
from rules.records.entries import Opened
from rules.records.log import Failed, Log, read_log
from rules.records.proof import Seed, canonical, commitment, is_hash
from rules.records.record import Record, Replay, replay
from rules.records.turns import Moved, Ordered
from rules.registry import rules_named
from rules.result import Result
from rules.sentences import listed, quoted


@dataclass(frozen=True)
class Verified:
    """The result of checking a record: a line for each check passed, up to the first failed one.

    Lines begin with the name of the check: "dice: …". `wrong` is None if the record has no error.
    """

    checked: tuple[str, ...]
    wrong: str | None


_AROUND = re.compile(r"proof:|log|entry|[0-9]{1,9}:?")
"""Words next to a head in an email."""


def read_heads(text: str) -> tuple[str, ...]:
    """Return the hashes in lines that someone has copied from emails, or in a list with blanks. Raises BadData.

    Such a line is "Proof: 12 " and the hash; in older emails, the line above it is "Log entry 12:".
    """
    heads = tuple(word for word in text.lower().split() if not _AROUND.fullmatch(word))
    if len(heads) > MOST_HEADS:
        raise BadData(f"At most {MOST_HEADS} heads can be compared with a record; you gave {len(heads)}.")
    for head in heads:
        if not is_hash(head):
            raise BadData(f"{quoted(head)} is not a head: a head has 64 digits or letters from a to f.")
    return heads


def verify(text: str, heads: Sequence[str] = (), most_turns: int = MOST_TURNS) -> Verified:
    """Verify the text of a record; its log must contain `heads`, hashes copied from emails.

    A record of more than `most_turns` turns is not checked.
    """
    try:
        case = _Case(Record.from_json(text), heads)
    except BadData as error:
        return Verified((), f"form: {error}")
    turns = len(case.record.turns)
    if turns > most_turns:
        return Verified(
            (), f"form: It has {turns} turns; at most {most_turns} are checked here. `nabu verify` checks more."
        )
    checked: list[str] = []
    for name, check in _WITHOUT_PROOF if case.record.proof is None else _WITH_PROOF:
        try:
            found = check(case)
        except Failed as failure:
            return Verified(tuple(checked), f"{name}: {failure}")
        if found:
            checked.append(f"{name}: {found}")
    return Verified(tuple(checked), None)


@dataclass(frozen=True)
class _Case:
    """A record during the check."""

    record: Record
    heads: Sequence[str]

    @cached_property
    def log(self) -> Log:
        """The log in the proof. Raises Failed."""
        return read_log(self.record.proof or {})

    @cached_property
    def played(self) -> Replay:
        """The record played through by the rules."""
        return replay(self.record)

    @property
    def seed(self) -> Seed | None:
        """The seed, once it is published."""
        return self.log.end.seed if self.log.end is not None else None


# The log


def _form(case: _Case) -> str:
    rules, turns = rules_named(case.record.game), len(case.record.turns)
    counted = "1 turn" if turns == 1 else f"{turns} turns"
    return f"This is a record of {rules.title} with {counted}, played by {listed(case.record.seats)}."


def _log(case: _Case) -> str:
    hashes = case.log.hashes
    return f"{len(hashes)} entries, each chained to the one before; the last is {hashes[-1]}."


def _heads(case: _Case) -> str:
    numbers = {found: number for number, found in enumerate(case.log.hashes, 1)}
    for head in case.heads:
        if head not in numbers:
            raise Failed(
                f"No entry has the hash {head}. The email is about another log, or newer than this record."
            )
    known = max((numbers[head] for head in case.heads), default=0)
    return f"Up to entry {known}, the log is the same as when the email was sent." if known else ""


def _record(case: _Case) -> str:
    record, begin = case.record, case.log.begin
    if record.game != begin.game_type:
        raise Failed(f"The record is of the game {record.game}, its log of {begin.game_type}.")
    if canonical(record.options) != canonical(begin.options):
        raise Failed("The options of the record do not match its log.")
    if canonical(record.setup) != canonical(begin.setup):
        raise Failed("The setup of the record does not match its log.")
    if record.seats != case.log.seats:
        raise Failed("The players of the record do not match its log.")
    logged = tuple(played.turn for played in case.log.turns)
    for number, (written, found) in enumerate(zip(record.turns, logged, strict=False), 1):
        if written != found:
            raise Failed(f"Turn {number} of the record does not match its log.")
    if len(record.turns) != len(logged):
        raise Failed(f"The record has {len(record.turns)} turns, its log has {len(logged)}.")
    _same_result(record.result, case.log.result)
    return "Game, options, setup, players, turns and result match the log."


def _same_result(written: Result | None, logged: Result | None) -> None:
    if logged is None and written is not None:
        raise Failed("The record has a result, but its log has no end.")
    if written is None and logged is not None:
        raise Failed("The log has an end, but the record has no result.")
    if written != logged:
        raise Failed("The result of the record does not match its log.")


def _envelopes(case: _Case) -> str:
    nonces: set[str] = set()
    for played in case.log.turns:
        number, opened = played.number, played.opened or {}
        orders = dict(played.turn.orders) if isinstance(played.turn, Ordered) else {}
        if orders.keys() != opened.keys():
            raise Failed(f"Turn {number} has orders without an envelope, or an envelope without orders.")
        for seat, envelope in opened.items():
            _check_envelope(case.log.begin.game, number, seat, orders[seat], envelope)
            if envelope.nonce in nonces:
                raise Failed(f"Turn {number} has a nonce for seat {seat} that was used before.")
            nonces.add(envelope.nonce)
    return f"{len(nonces)} were opened, and their orders match the commitments." if nonces else ""


def _check_envelope(game: int, turn: int, seat: int, orders: str, envelope: Opened) -> None:
    if commitment(envelope.nonce, game, turn, seat, orders) != envelope.commitment:
        raise Failed(f"Turn {turn} has orders of seat {seat} that do not match their commitment.")


# Draws


def _seed(case: _Case) -> str:
    if case.seed is None:
        return "The game goes on. Random draws can be checked when it is over and the seed is published."
    if case.seed.hash != case.log.begin.seed_hash:
        raise Failed("The seed does not match the hash that was published when the game began.")
    return f"It matches its hash, {case.seed.hash}, which was in the first email."


def _seats(case: _Case) -> str:
    begin = case.log.begin
    if case.seed is None:
        return ""
    words = dict(zip(begin.seats, begin.client_seeds, strict=True))
    if len(words) != len(begin.seats) or words.keys() != set(begin.asked):
        raise Failed("The players who were asked are not the players who have seats.")
    if begin.turned is not None:
        how = "the other way round than" if len(begin.seats) == 2 else "one seat on from where they sat"
        return f"The players agreed to sit {how} in game {begin.turned}; its record shows how they sat there."
    if begin.paired is not None:
        if begin.asked != begin.seats:
            raise Failed("The players have other seats than those that the tournament gave them.")
        return f"The players have the seats that tournament {begin.paired} gave them; its page shows the same."
    lot = case.seed.seats(begin.game, [words[name] for name in begin.asked])
    if lot.shuffle(begin.asked) != list(begin.seats):
        raise Failed("The seed and the players' words give the players different seats.")
    return "The players have the seats that the seed and their words give."


def _layout(case: _Case) -> str:
    begin = case.log.begin
    if case.seed is None:
        return ""
    drawn = rules_named(begin.game_type).setup(
        case.record.options, case.seed.layout(begin.game, begin.client_seeds)
    )
    if canonical(drawn) != canonical(begin.setup):
        raise Failed("The seed and the players' words give a different layout.")
    return "The layout is the one that the seed and the players' words give." if drawn else ""


def _dice(case: _Case) -> str:
    if case.seed is None:
        return ""
    begin, rolls = case.log.begin, 0
    numbers = [played.number for played in case.log.turns]
    for at, turn in enumerate(case.record.turns):
        if not isinstance(turn, Moved) or not turn.dice:
            continue
        number = driver.rolled_for(case.played.rules, numbers, case.played.steps, at)
        rolled = case.seed.dice(begin.game, number, begin.client_seeds).dice(len(turn.dice))
        if rolled != turn.dice:
            raise Failed(
                f"Turn {numbers[at]} has different dice from those the seed and the players' words give."
            )
        rolls += 1
    return f"{rolls} rolls, each the one that the seed and the players' words give." if rolls else ""


# The rules


def _no_proof(case: _Case) -> str:
    if case.heads:
        raise Failed("The record holds no log in which to look for the hash from an email.")
    return "The record holds none: only turns and result can be checked, not order, orders, dice or layout."


def _turns(case: _Case) -> str:
    rules = case.played.rules
    if case.record.proof is not None and case.log.begin.version != rules.version:
        raise Failed(
            f"The game was played by version {case.log.begin.version} of the rules of {rules.title}; "
            f"only version {rules.version} is known here."
        )
    error = case.played.error or ""
    if error.startswith("turn "):
        raise Failed(f"T{error[1:]}")
    return f"{len(case.record.turns)} played, all legal by the rules of {rules.title}."


def _result(case: _Case) -> str:
    claimed, played = case.record.result, case.played
    if claimed is None and played.result is not None:
        raise Failed("The game is over, but the record has no result.")
    if claimed is None:
        return "The game is not over."
    if played.error is not None:
        raise Failed(played.error.removeprefix("result: "))
    if claimed.reason == Reason.AGREED_DRAW and len(claimed.winners) < 2:
        raise Failed("The record says “agreed-draw”, but a draw needs two or more players.")
    if claimed.reason in LEAVING and not (played.steps and played.steps[-1].left):
        raise Failed(f"The record says “{claimed.reason}”, but no player left the game.")
    if claimed.reason == Reason.RULED:
        return "“ruled”: an administrator decided it, regardless of the rules."
    if claimed.reason in REASONS and claimed.reason not in LEAVING:
        return f"“{claimed.reason}”: the rules cannot confirm it, as the game was not over."
    names = listed([case.record.seats[seat] for seat in claimed.winners])
    return f"“{claimed.reason}”, for {names}; the rules say the same."


_Check = tuple[str, Callable[[_Case], str]]
_BY_RULES: tuple[_Check, ...] = (("turns", _turns), ("result", _result))
_WITHOUT_PROOF: tuple[_Check, ...] = (("form", _form), ("proof", _no_proof), *_BY_RULES)
_WITH_PROOF: tuple[_Check, ...] = (
    ("form", _form),
    ("log", _log),
    ("heads", _heads),
    ("record", _record),
    ("envelopes", _envelopes),
    ("seed", _seed),
    ("seats", _seats),
    ("layout", _layout),
    ("dice", _dice),
    *_BY_RULES,
)
