"""What each letter says: one function a letter, named as in the outbox and as its template.

A function is given the game, where there is one, and what the outbox keeps beyond the log; it returns the
subject, what the template shows, and what a reply to the letter will answer.
"""

from dataclasses import replace
from typing import Any

from mail.outgoing.composing import Attachment
from rules.driver import begin
from rules.game import Json, Step
from rules.records import verification
from rules.records.proof import dice_label
from server.clock.moments import write_moment
from server.game import history as chronicle
from server.game import kinds, log, randomness, views
from server.game.limits import MOST_FOR_ADDRESS
from server.game.vocabulary import REPLY
from server.game.wording import result_text
from server.game.words import When
from server.outbound.letters.drafts import Draft, Sources, Standing, letter, only
from server.settings import ROOT
from server.store.models import Game, Player, Seat

_MOST_MOVES = 200
_LONGEST_LINE = 64
"""Characters of an example that are sure to stay in one line of a mail."""


@letter
def report(sources: Sources) -> Draft:
    """After a turn: what was played, the board, whose turn it is."""
    what, game, rules = sources.what, sources.game, log.rules_of(sources.game)
    seats = sources.view.seats
    names, labels = [seat.name for seat in seats], [seat.label for seat in seats]
    turns = log.steps(sources.session, game, max(what["first"], 1), what["last"]) if what["last"] else ()
    played = list(turns)
    step, after = _as_of(sources, played[-1][1] if played else None)
    standing = _standing_after(sources, after, labels)
    told = {
        "undone": what["undone"] and {**what["undone"], "by": labels[what["undone"]["seat"]]},
        "begins": not what["first"] and not what["result"],
        "turns": [chronicle.told(game, entry, step, names) for entry, step in played],
        "opened": [
            (entry.turn, _envelopes(entry.body["opened"], labels))
            for entry, _ in played
            if "opened" in entry.body
        ],
        "diagram": rules.diagram(after, step=step),
        "dice_label": dice_label(sources.view.number, standing.turn),
        "misses": [(int(seat), count) for seat, count in what["misses"].items()],
        "aside": what["aside"],
        "said": _said(sources, labels),
        "late": "press" in what,
        "rematch": _rematch(sources) if what["result"] else "",
        "seed": randomness.seed_of(sources.sealer, game).secret.hex()
        if what["result"] and game.seed_hash
        else "",
    }
    return sources.draft(answers=standing.turn, standing=standing, told=told)


@letter
def digest(sources: Sources) -> Draft:
    """All that happened to a player since he was last told, and all that he owes: a report for each game."""
    session = sources.session
    about = [(session.get_one(Game, item["game"]), item) for item in sources.what["games"]]
    parts = [report(replace(sources, about=game, what=item)) for game, item in about]
    owed = sum(part.context["standing"].mine for part in parts)
    return Draft(
        "Your games: what happened" if not owed else f"Your games: {owed} to move",
        {"parts": parts, "owed": owed},
        # An answer can only be for a certain game where there is only one.
        reply=parts[0].reply if len(parts) == 1 else None,
    )


@letter
def receipt(sources: Sources) -> Draft:
    """Orders were read and sealed: what was read, and the commitment."""
    what, game = sources.what, sources.game
    rules = log.rules_of(game)
    view, opened = sources.view, sources.view.resolve_at
    before = rules.read(game.options, what["position"])
    plan = rules.parse(before, sources.seat, what["orders"])
    return sources.draft(
        answers=what["turn"],
        diagram=rules.diagram(before, plan=plan),
        opened_at=write_moment(opened, view.zone) if opened is not None and game.turn == what["turn"] else "",
        **only(what, "orders", "turn", "commitment"),
    )


@letter
def preview(sources: Sources) -> Draft:
    """What a move would lead to."""
    what = sources.what
    rules = log.rules_of(sources.game)
    before = rules.read(sources.game.options, what["position"])
    move = rules.parse(before, sources.seat, what["move"])
    if rules.simultaneous:
        diagram, story = rules.diagram(before, plan=move), []
    else:
        step = Step(before, {sources.seat: move}, rules.play(before, {sources.seat: move}))
        diagram, story = rules.diagram(step.after, step=step), rules.story(step)
    return sources.draft(answers=what["turn"], diagram=diagram, story=story, move=what["move"])


@letter
def refusal(sources: Sources) -> Draft:
    """A reply that could not be carried out."""
    return sources.draft(**only(sources.what, "problem", "read", "choices", "stale"))


@letter
def withdrawn(sources: Sources) -> Draft:
    """Orders were taken back."""
    return sources.draft(answers=sources.what["turn"], turn=sources.what["turn"])


@letter
def conditions(sources: Sources) -> Draft:
    """Conditional moves were read and are kept, or were dropped."""
    return sources.draft(kept=sources.what["kept"])


@letter
def show(sources: Sources) -> Draft:
    """The board as it is now, and whose clock stands still; perhaps after the receiver gave time."""
    still = views.standing_still(sources.session, sources.game, sources.view, sources.now)
    return sources.draft(still=still, given=sources.what.get("given", False))


@letter
def history(sources: Sources) -> Draft:
    """All turns so far, and what time was given back."""
    session, game, view = sources.session, sources.game, sources.view
    turns = chronicle.turns(session, game, [seat.name for seat in view.seats])
    credits = chronicle.credits(session, game, [seat.label for seat in view.seats], view.zone)
    return sources.draft(turns=turns, credits=credits)


@letter
def moves(sources: Sources) -> Draft:
    """What the receiver can play."""
    rules, game = log.rules_of(sources.game), sources.game
    randomness.mend(sources.sealer, game, log.seats(sources.session, game))
    listing = rules.listing(log.position_of(game), limit=_MOST_MOVES + 1) if game.state == "running" else []
    if isinstance(listing, dict):
        orders = listing.get(str(sources.seat), {})
        return sources.draft(table=[(name, ", ".join(each)) for name, each in orders.items()], moves=())
    mine = listing if sources.view.my_turn else []
    return sources.draft(table=(), moves=mine[:_MOST_MOVES], more=len(mine) > _MOST_MOVES)


@letter
def proof(sources: Sources) -> Draft:
    """The game as a file, what is found when it is checked, and the page that tells how to check it."""
    text = log.record(sources.session, sources.game).to_json()
    name = f"nabu-{sources.view.number}.json"
    draft = sources.draft(file=name, verdict=verification.verify(text))
    page = (ROOT / "docs" / "verify.md").read_bytes()
    files = (Attachment(name, "application/json", text.encode()), Attachment("verify.md", "text/plain", page))
    return replace(draft, attachments=files)


@letter
def help_game(sources: Sources) -> Draft:
    """The commands of a reply, those that make sense in the game as it is now."""
    view = sources.view
    true = {When.BEFORE if view.state == "invited" else When.BEGUN}
    true |= {When.SEALED} if view.simultaneous else set()
    true |= {When.IN_TURN} if not view.simultaneous and not view.dice else set()
    return sources.draft(commands=REPLY.told(true))


@letter
def press(sources: Sources) -> Draft:
    """Another player said something."""
    return sources.draft(said=sources.what["said"], speaker=sources.view.seats[sources.what["speaker"]].label)


@letter
def noted(sources: Sources) -> Draft:
    """A private note was kept: all of them, in order."""
    labels = [seat.label for seat in sources.view.seats]
    everything = chronicle.press_of(sources.session, sources.sealer, sources.game, labels, sources.seat)
    return sources.draft(notes=[note for note in everything if note.private])


@letter
def draw_offered(sources: Sources) -> Draft:
    """Another player offers a draw."""
    return sources.draft(by=sources.view.seats[sources.what["by"]].label)


@letter
def draw_noted(sources: Sources) -> Draft:
    """One's own offer of a draw stands."""
    return sources.draft()


@letter
def undo_asked(sources: Sources) -> Draft:
    """Another player asks to take his move back."""
    what = sources.what
    return sources.draft(by=sources.view.seats[what["by"]].label, turn=what["turn"])


@letter
def undo_noted(sources: Sources) -> Draft:
    """One's own word that a move may be taken back was heard; not all have agreed yet."""
    return sources.draft()


@letter
def overdue(sources: Sources) -> Draft:
    """A player's time is up: the others can claim the game, and he can still move."""
    return sources.draft(by=sources.view.seats[sources.what["by"]])


@letter
def clock_stands(sources: Sources) -> Draft:
    """The clock of another player stands still, or runs again."""
    what = sources.what
    by, due = sources.view.seats[what["by"]].label, sources.moment(what["due"])
    return sources.draft(by=by, due=due, stands=what["stands"])


@letter
def time_given(sources: Sources) -> Draft:
    """Another player gave time for the move that is owed."""
    what = sources.what
    due = "" if what["due"] is None else sources.moment(what["due"])
    return sources.draft(by=sources.view.seats[what["by"]].label, due=due)


@letter
def invitation(sources: Sources) -> Draft:
    """Somebody wants to play."""
    seat = sources.session.get_one(Seat, (sources.view.number, sources.seat))
    receiver = sources.session.get_one(Player, seat.player_id)
    stranger = receiver.confirmed_at is None
    return sources.draft(
        by=sources.what["by"],
        about=kinds.about(sources.view.kind),
        new_name=receiver.name if stranger else "",
        most_invitations=MOST_FOR_ADDRESS,
    )


@letter
def challenge_sent(sources: Sources) -> Draft:
    """One's own challenge is on its way, or waits for one's own words for luck."""
    return sources.draft(early=sources.what["early"])


@letter
def accepted(sources: Sources) -> Draft:
    """One's own acceptance was noted; others have still to accept."""
    return sources.draft()


@letter
def declined(sources: Sources) -> Draft:
    """Somebody declined: the game will not be played."""
    return sources.draft(by=sources.what["by"])


@letter
def declined_by_you(sources: Sources) -> Draft:
    """One's own "decline" was carried out."""
    return sources.draft()


def _as_of(sources: Sources, step: Step[Any, Any] | None) -> tuple[Step[Any, Any] | None, Any]:
    """The turn before the report, and the position after it, with the dice rolled for the next.

    That turn is `step`, the last one that the report tells; where it tells none, as in a game that was begun
    elsewhere or in which the last one was taken back, it is looked up.
    """
    what, game, rules = sources.what, sources.game, log.rules_of(sources.game)
    if step is None and what["last"]:
        step = log.step(sources.session, game, what["last"])
    after = rules.start(game.options, game.setup) if step is None else step.after
    if rolled := what["rolled"]:
        after, _ = begin(rules, after, lambda _: rolled)
    return step, after


def _standing_after(sources: Sources, position: Any, labels: list[str]) -> Standing:
    """Whose turn it was when the turns of a report were over."""
    what, rules = sources.what, log.rules_of(sources.game)
    owing = () if what["result"] else rules.to_move(position)
    return Standing(
        turn=what["last"] + 1,
        mine=sources.seat in owing,
        waiting=tuple(seat for seat in sources.view.seats if seat.number in owing),
        dice=tuple(what["rolled"] or ()),
        due={int(seat): sources.moment(moment) for seat, moment in what["due"].items()},
        result=result_text(rules, what["result"], labels),
        examples=() if what["result"] else sources.examples(position),
        moves=() if what["result"] else sources.moves(position),
    )


def _said(sources: Sources, labels: list[str]) -> list[tuple[str, list[str]]]:
    """Who said what, as lines: what came with the turn, or all that was held back."""
    what = sources.what
    if "press" not in what:
        return [(labels[what["speaker"]], what["said"].splitlines())] if what["said"] else []
    held = chronicle.press_of(
        sources.session, sources.sealer, sources.game, labels, sources.seat, what["press"]
    )
    return [(press.speaker, press.text.splitlines()) for press in held]


def _envelopes(opened: Json, labels: list[str]) -> list[tuple[str, tuple[str, str]]]:
    """What was in the envelopes of a turn, seat by seat: the nonce and the commitment."""
    return [
        (labels[int(seat)], (content["nonce"], content["commitment"]))
        for seat, content in sorted(opened.items())
    ]


def _rematch(sources: Sources) -> str:
    """The command that challenges the others to another game like this one, as text of one line or several."""
    view = sources.view
    others = ", ".join(seat.name for seat in view.seats if seat != view.me)
    settled = {**sources.game.options, **view.terms.unusual()}
    words = [f"challenge {others} {view.kind}", *(f"{name}={value}" for name, value in settled.items())]
    line = " ".join(words)
    return line if len(line) <= _LONGEST_LINE else "\n".join(words)
