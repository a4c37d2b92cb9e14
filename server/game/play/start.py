"""The start of a game: when all players have accepted, or from a record of turns played elsewhere."""

from collections.abc import Sequence

from sqlmodel import Session

from rules.records.entries import Begin, Import
from rules.records.record import Record, Replay, turn_of
from rules.records.turns import Moved
from server.errors import BadRequest
from server.game.clock import deadlines
from server.game.log import checksums, log, randomness
from server.game.log.display_names import placeholder
from server.game.log.log import Seated
from server.game.play.loaded_game import LoadedGame, finish, prepare_turn, report
from server.game.terms.terms import is_guided
from server.store.models import Game
from server.store.outbox import ActionContext


def start_game(action: ActionContext, game: Game) -> None:
    """Start a game that all have accepted: assign seats, draw the start, open the log, notify the players."""
    turned = turned_seats(action.session, game)
    if game.tournament_id is not None:
        randomness.seat_as(action.session, game, game.asked)
    elif turned:
        randomness.seat_as(action.session, game, turned)
    else:
        randomness.seat_by_lot(action.sealer, action.session, game)
    seats = log.seats(action.session, game)
    rules, names = log.rules_of(game), _names_in_log(game, seats)
    game.state, game.offer_due_at = "running", action.now if game.offer else None
    game.setup = rules.setup(game.options, randomness.for_layout(action.sealer, game, seats))
    entry = Begin(
        game=log.id_of(game),
        game_type=game.game_type,
        version=game.rules_version,
        options=game.options,
        terms=game.terms,
        asked=tuple(names[number] for number in game.asked),
        seats=tuple(names[seat.player_id] for seat, _ in seats),
        seed_hash=game.seed_hash,
        client_seeds=tuple(seat.client_seed for seat, _ in seats),
        setup=game.setup,
        turned=game.again_of if turned else None,
        paired=game.tournament_id,
    )
    log.append_entry(action.session, game, entry, action.now)
    deadlines.fill_banks(game, seats)
    table = LoadedGame(action, game, rules, seats, rules.start(game.options, game.setup))
    prepare_turn(table)
    if not is_guided(game.terms):  # the welcome email reports it
        report(table, first=0)


def continue_record(action: ActionContext, game: Game, record: Record, played: Replay) -> None:
    """Add the turns of a record to the log of a new game, and go on; `played` is the record after its replay.

    Turns that were played elsewhere are not reported. If the game goes on, all players get its current state.
    Raises BadRequest for a record that is not legal, and for one that only another server can continue.
    """
    if played.error is not None:
        raise BadRequest(f"The record cannot be replayed: {played.error}")
    if played.result is None and any(isinstance(turn, Moved) and turn.dice for turn in record.turns):
        raise BadRequest(
            "This game has dice and is not over. The next roll comes from a seed known only to the server on "
            "which the game started, so it has to be finished there."
        )
    seats = log.seats(action.session, game)
    game.state = "running"
    log.append_entry(
        action.session, game, Import(game.game_type, tuple(player.name for _, player in seats)), action.now
    )
    for step in played.steps:
        log.append(action.session, game, turn_of(played.rules, step), step.after, action.now)
    deadlines.fill_banks(game, seats)
    table = LoadedGame(action, game, played.rules, seats, played.position)
    if played.result is not None:
        checksums.keep_position(game, played.position)
        finish(table, played.result)
        return
    prepare_turn(table)
    report(table, first=game.turn)


def _names_in_log(game: Game, seats: Sequence[Seated]) -> dict[int, str]:
    """Return the names for the log, by player number; an anonymous game reveals the real ones at its end."""
    if game.anonymous:
        return {number: placeholder(place) for place, number in enumerate(game.asked)}
    return {seat.player_id: player.name for seat, player in seats}


def turned_seats(session: Session, game: Game) -> tuple[int, ...]:
    """Return the players' numbers in the order of seats of the next game, rotated by one seat.

    This applies to rematches of two players and to series. Return () if seats are assigned by lot, as in
    rematches of more than two players.
    """
    if game.again_of is None or (len(game.asked) != 2 and game.series_of is None):
        return ()
    before = [seat.player_id for seat, _ in log.seats(session, session.get_one(Game, game.again_of))]
    return tuple(before[1:] + before[:1]) if sorted(before) == sorted(game.asked) else ()
