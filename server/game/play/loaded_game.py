"""A game as it is loaded for a turn, and the steps that write turns; only `play` uses this module."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules import driver
from rules.game import Step
from rules.reasons import Reason
from rules.records.entries import End, Names, Opened, Ruling
from rules.records.record import turn_of
from rules.result import Result
from server.clock.deadline_arithmetic import resolves_at
from server.game.clock import deadlines, stored_pauses
from server.game.log import checksums, envelopes, log, randomness, stored_entries
from server.game.log.log import Seated
from server.game.messages import messages
from server.game.notifications import channels
from server.game.terms import series
from server.store import deferral
from server.store.db import wake
from server.store.letters.game import Aside, ClockStands, Proposed, Receipt, Report, Undone
from server.store.letters.letter import About, Letter
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext

DRAW_OFFER = "draw"
"""The name of the proposal to end the game in a draw."""


@dataclass
class LoadedGame:
    """A game with everything that a turn needs; its row is locked, unless the game is only read."""

    action: ActionContext
    game: Game
    rules: log.AnyRules
    seats: list[Seated]
    position: Any

    def still_in(self) -> set[int]:
        """Return the seats that have not left the game."""
        return {seat.number for seat, _ in self.seats}.difference(self.rules.seats_out(self.position))


def load_game(action: ActionContext, game: Game) -> LoadedGame:
    """Load a game, which must be locked if anything is to be written."""
    seats = log.seats(action.session, game, fresh=True)
    randomness.rebuild_if_damaged(action.sealer, game, seats)
    position = log.position_of(game) if game.state == "running" else None
    return LoadedGame(action, game, log.rules_of(game), seats, position)


def seal(table: LoadedGame, seat: int, player: Player, move: Any, say: str) -> None:
    """Encrypt the orders of a seat, and store them until the turn is resolved: when all orders are in.

    The receipt is a proof, so it is emailed even if the orders were given on the page. There is no receipt if
    the report follows immediately, which contains the same proof.
    """
    action, game = table.action, table.game
    orders = table.rules.format(move)
    envelope = envelopes.seal(action, game, seat, orders)
    place = table.seats[seat].seat
    place.owes, place.absent_turn = False, None
    deadlines.stop(place)
    if open_if_all_in(table, seat, say):
        return
    if not _is_reported_soon(table, place, player):
        opened_at = game.resolve_at if game.shows_ready else None
        receipt = Receipt(orders, envelope.commitment, game.turn, game.position, opened_at)
        action.put_to_player(player, receipt, About(log.id_of(game), seat))
    messages.say(action, game, seat, say)


def _is_reported_soon(table: LoadedGame, seat: Seat, player: Player) -> bool:
    """Return whether the player gets the proof of new orders without a receipt, though not all orders are in.

    The API's response contains it. Computer players answer immediately, so it is in the report, which is not
    necessary if the orders were given on the page.
    """
    action, solo = table.action, _is_solo(table.seats, seat.number)
    if action.visitor is not None:
        return bool(action.program) or solo
    waits = deadlines.terms_of(table.game).delay or deferral.is_muted(seat, action.now) or player.digest_at
    return solo and not waits and deferral.wish_of(player) != deferral.NEVER


def open_if_all_in(table: LoadedGame, speaker: int | None, said: str) -> bool:
    """Resolve the turn if the orders of all seats are in; return whether it was resolved.

    The seat `speaker` gave the last orders, with the message `said`. Once all orders are in, the turn may still
    wait for its delay.
    """
    action, game = table.action, table.game
    absent = {seat.number for seat, _ in table.seats if seat.absent_turn == game.turn}
    written = set(envelopes.written(action, game))
    if not written | absent >= set(table.rules.to_move(table.position)):
        return False
    terms = deadlines.terms_of(game)
    if terms.delay and not absent:
        due = deadlines.latest_deadline(table.action.session, game, table.seats)
        game.resolve_at = game.resolve_at or resolves_at(terms, action.now, due)
        return False
    open_all(table, speaker, said)
    return True


def open_all(table: LoadedGame, speaker: int | None, said: str) -> None:
    """Decrypt all sealed orders of the turn, play it even if some are missing, and report it to all players.

    The seat `speaker` gave the last orders, with the message `said`.
    """
    action, game = table.action, table.game
    sealed = envelopes.written(action, game)
    opened = {seat: envelopes.open_for(action, envelope) for seat, envelope in sealed.items()}
    moves = {seat: table.rules.parse(table.position, seat, orders) for seat, (orders, _) in opened.items()}
    proof = {seat: Opened(nonce, sealed[seat].commitment) for seat, (_, nonce) in opened.items()}
    for number in table.rules.to_move(table.position):
        if number in sealed:
            deadlines.moved(action.session, game, *table.seats[number], sealed[number].written_at)
        else:
            deadlines.missed(action.session, game, *table.seats[number], action.now)
    for envelope in sealed.values():
        action.session.delete(envelope)
    game.resolve_at = None
    note_credits(table)
    first = game.turn
    advance(table, moves, proof)
    if speaker is not None:
        said = messages.keep(action, game, speaker, said)
    report(table, first, said, speaker)


def advance(table: LoadedGame, moves: Mapping[int, Any], opened: Mapping[int, Opened] | None = None) -> None:
    """Play a complete turn with the moves of all seats, and go on to the next in which a player has a choice.

    `opened` are the sealed orders of the turn, by seat.
    """
    _append(table, driver.play(table.rules, table.position, moves, _rolled(table)), opened)
    prepare_turn(table)


def prepare_turn(table: LoadedGame, *, keep_dice: bool = False) -> None:
    """Roll the dice and write forced passes until a player has a choice, or the game is over."""
    action, game, rules = table.action, table.game, table.rules
    if not keep_dice:
        game.rolled = None
    _roll(table)
    while step := driver.forced_step(rules, table.position, _rolled(table)):
        _append(table, step)
        game.rolled = None
        _roll(table)
    checksums.keep_position(game, table.position)
    result = rules.result(table.position)
    if result is not None:
        finish(table, result)
        return
    owing, playing = rules.to_move(table.position), table.still_in()
    for place, _ in table.seats:
        place.owes, place.left = place.number in owing, place.number not in playing
        place.end_proposals(game.turn)
    agreed = agreed_draw(table)
    if agreed is not None:  # the last player who had not offered a draw has left
        finish(table, agreed)
        return
    deadlines.begin_turn(action.session, game, table.seats, action.now)
    wake(action.session)  # a computer player may have to move


def agreed_draw(table: LoadedGame) -> Result | None:
    """Return the result if all players who are still in the game offer a draw; otherwise None."""
    playing = [seat for seat, _ in table.seats if seat.number in table.still_in()]
    if all(DRAW_OFFER in seat.proposals for seat in playing):
        return Result(tuple(seat.number for seat in playing), Reason.AGREED_DRAW)
    return None


def _roll(table: LoadedGame) -> None:
    """Roll the dice of the turn, if it has any."""

    def roll(count: int) -> Sequence[int]:
        return randomness.for_dice(table.action.sealer, table.game, table.seats, table.game.turn).dice(count)

    table.position, dice = driver.begin(table.rules, table.position, roll)
    if dice:
        table.game.rolled = list(dice)


def _rolled(table: LoadedGame) -> tuple[int, ...]:
    return tuple(table.game.rolled or ())


def _append(table: LoadedGame, step: Step[Any, Any], opened: Mapping[int, Opened] | None = None) -> None:
    """Write a played turn to the log."""
    table.position, turn = step.after, turn_of(table.rules, step)
    log.append(table.action.session, table.game, turn, step.after, table.action.now, opened)


def leave(table: LoadedGame, seat: int, reason: Reason) -> None:
    """Remove a seat from the game, because it resigned or ran out of time; the game may end."""
    first, step = table.game.turn, driver.leave(table.rules, table.position, seat, reason)
    _append(table, step)
    lost = driver.forfeit(table.rules, step, len(table.seats))
    if lost is None:
        prepare_turn(table, keep_dice=driver.keeps_dice(table.rules, step))
    else:
        checksums.keep_position(table.game, table.position)
        finish(table, lost)
    report(table, first, confirm={seat})


def finish(table: LoadedGame, result: Result) -> None:
    """End the game, and publish its seed: nothing more will be drawn from it."""
    action, game = table.action, table.game
    game.state = "over"
    game.resolve_at = game.stale_at = None
    game.news_at = action.now
    game.next_due_at = action.now if series.goes_on(game) else None
    game.offer_due_at = action.now if game.offer else None
    note_credits(table)
    if game.anonymous:
        log.append_entry(
            action.session, game, Names(tuple(player.name for _, player in table.seats)), action.now
        )
    log.append_entry(action.session, game, End(result, randomness.seed_of(action.sealer, game)), action.now)
    for envelope in envelopes.written(action, game).values():
        action.session.delete(envelope)
    for seat, _ in table.seats:
        seat.owes = seat.left = False
        seat.sealed_conditions = seat.sealed_words = None
        seat.over_at = action.now
        deadlines.stop(seat)
    _store_result(table, result)


def correct(table: LoadedGame, result: Result) -> None:
    """Replace the result of a finished game, and add the correction to its log."""
    log.append_entry(table.action.session, table.game, Ruling(result), table.action.now)
    _store_result(table, result)


def _store_result(table: LoadedGame, result: Result) -> None:
    game, now = table.game, table.action.now
    game.result, game.count_due_at = result.to_json(), now
    game.tournament_due_at = None if game.tournament_id is None else now
    for seat, _ in table.seats:
        seat.outcome = result.outcome(seat.number)


def note_credits(table: LoadedGame) -> None:
    """Add the time credited for undelivered email in this turn to the log, unless it is there already.

    Only a seat with a move due gets time. If the game hides whose orders are in, this waits until all are.
    """
    action, game = table.action, table.game
    credits = [
        stored_pauses.credit(lost, seat) for seat, lost in stored_pauses.mail_credits(action.session, game)
    ]
    entries = log.entries(action.session, game)[1:] if credits else []
    known = [stored_entries.entry_body(game, entry) for entry in entries]
    for credit in credits:
        if credit not in known:
            log.append_entry(action.session, game, credit, action.now)


def report(
    table: LoadedGame,
    first: int,
    said: str = "",
    speaker: int | None = None,
    asides: Mapping[int, Aside] | None = None,
    undone: Undone | None = None,
    *,
    confirm: Collection[int] = (),
) -> None:
    """Report the turns from `first` on to all players; 0 also reports the start of the game.

    `speaker` is the seat that played the first of these turns, and `said` its message. `asides`, by seat,
    contain lines for the player of that seat only. `undone` is the turn that was taken back, with the seat that
    asked for it. Players of the seats in `confirm` get the report in any case, unless they see the result on
    the page.
    """
    table.game.news_at = table.action.now
    channels.call(table.action, table.game, table.seats)
    for seat, player in table.seats:
        aside = (asides or {}).get(seat.number, Aside())
        told = report_to(seat.number, table.game, table.seats, first, aside)
        heard = said if said and _hears(table, player, speaker) else ""
        told = replace(told, said=heard, speaker=speaker, undone=undone)
        about = About(seat.game_id, seat.number)
        table.action.put_to_player(player, told, about, confirm=seat.number in confirm)


def _hears(table: LoadedGame, listener: Player, speaker: int | None) -> bool:
    """Return whether a player receives the messages of a seat."""
    if speaker is None:
        return True
    return messages.hears(table.action.session, table.game, listener, table.seats[speaker].player)


def report_to(receiver: int, game: Game, seats: list[Seated], first: int, aside: Aside) -> Report:
    """Return the report for the seat `receiver`: the turns from `first` on, and the state of the game.

    `aside` are lines for this player only.
    """
    own = seats[receiver].seat
    told = {seat.number for seat, _ in seats} if game.shows_ready else {receiver}
    due = {seat.number: seat.deadline_at for seat, _ in seats if seat.owes and seat.number in told}
    return Report(
        first=first,
        last=game.turn - 1,
        aside=aside,
        rolled=game.rolled,
        result=game.result,
        head=game.head,
        entries=game.entries,
        due={number: moment for number, moment in due.items() if moment is not None},
        asks=own.owes,
        misses={place.number: place.misses for place, _ in seats if place.misses},
        proposals=[
            (place.number, name)
            for place, _ in seats
            for name in place.proposals
            if name not in own.proposals and not own.left
        ],
        solo=_is_solo(seats, receiver),
    )


def _is_solo(seats: list[Seated], number: int) -> bool:
    """Return whether all other players of the game are computer players."""
    return all(player.computer for seat, player in seats if seat.number != number)


def notify_others(table: LoadedGame, seat: int, letter: Letter) -> None:
    """Send a letter to all players except the one of `seat`."""
    for other, player in table.seats:
        if other.number != seat:
            table.action.put_to_player(player, letter, About(other.game_id, other.number))


def ask_others(table: LoadedGame, proposal: Proposed) -> None:
    """Send a proposal to all other players who are still in the game, who can answer it."""
    playing = table.still_in() - {proposal.by}
    for seat, player in table.seats:
        if seat.number in playing:
            table.action.put_to_player(player, proposal, About(seat.game_id, seat.number))


def notify_of_clock(table: LoadedGame, seat: Seat, *, stands: bool = True) -> None:
    """Notify the other players that a seat's clock is paused or, with `stands` false, runs again.

    The reason is not given. Only a seat with a move due has a clock. If the game hides whose orders are in, no
    notification is sent.
    """
    if table.game.shows_ready:
        notify_others(table, seat.number, ClockStands(seat.number, seat.deadline_at, stands))
