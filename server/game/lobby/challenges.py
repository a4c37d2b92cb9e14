"""Challenges to other players, and how they accept or decline them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlmodel import Session, col, select

from rules.limits import MOST_SEATS
from rules.records.proof import Seed
from rules.records.record import Record, Replay
from rules.registry import rules_named
from server.accounts import bans, computer_players, newcomers, players, relations, similar_names
from server.errors import BadRequest, GameOver, NotRunning, NotYours
from server.game.lobby import challenge_checks, proposed_game, seats, term_changes
from server.game.lobby.proposed_game import ProposedGame
from server.game.log import log, randomness, visibility
from server.game.log.display_names import Invited, called
from server.game.log.log import Seated
from server.game.play.start import continue_record, start_game
from server.game.terms import terms
from server.store import db
from server.store.letters.game import Accepted, Declined, Invitation
from server.store.letters.letter import About
from server.store.models import Game, Player, Seat
from server.store.outbox import ActionContext

_BETWEEN_NAMES = re.compile(r",|(?<=\s)(?:and|und|et|y|&)(?=\s)", re.IGNORECASE)


def challenge(
    action: ActionContext,
    challenger: Player,
    others: Sequence[Player | Invited],
    game_type: str,
    options: Mapping[str, object],
    *,
    own_words: bool = False,
    seed: Seed | None = None,
    again_of: int | None = None,
    guided: bool = False,
) -> Game:
    """Propose a game to others; it starts when all have accepted. The seats are then assigned by lot.

    A player given without an address was challenged by name. `options` are those of the rules and the terms.
    With `own_words` the game also waits for the challenger's words for luck: like the others, the challenger
    gives them knowing the hash of the seed. To repeat a game exactly, pass its `seed`. `again_of` is the game
    of which this one is the rematch: two players then swap seats. A `guided` game explains its rules to the
    challenger, who moves first, and only the challenger sees it.
    """
    proposed = proposed_game.read(game_type, options, players.zone(challenger))
    if proposed.terms.anonymous:
        raise BadRequest(
            lambda where: (
                "A challenge cannot be anonymous, because your opponent knows who sent it. Open the game to "
                f"{where.typed(f'all players: seek {game_type} anonymous=yes') or 'all players.'}"
            )
        )
    invited = [each if isinstance(each, Invited) else Invited(each) for each in others]
    if all(each.player.computer for each in invited):
        bans.check(action.session, challenger, action.now)
    else:
        seats.check_can_play(action, challenger, "challenge a player")
    challenge_checks.check(action.session, challenger, invited, proposed.rules, proposed.seats)
    challenge_checks.check_challenge(action, challenger, invited)
    invited = challenge_checks.with_stand_ins(action, challenger, invited)
    if guided:
        proposed = replace(proposed, terms=replace(proposed.terms, guided=True, private=True, rated=None))
    asked = [challenger, *(each.player for each in invited)]
    game = proposed_game.store(action, proposed, asked, seed)
    game.again_of = again_of
    if guided:
        randomness.seat_challenger_first(action.sealer, game)
    _invite_all(action, game, invited, own_words=own_words)
    if all(each.player.computer for each in invited) and not own_words:
        start_game(action, game)
    return game


def import_game(action: ActionContext, record: Record, played: Replay, seated: Sequence[Player]) -> Game:
    """Store a game from a record that was played elsewhere; an unfinished game continues on this server.

    `played` is the record after its replay, and `seated` are its players by seat. Replay it before the
    transaction begins, because no one else can write in SQLite meanwhile. The seed is unknown here, so the game
    has no proof. Raises BadRequest if the players do not fit the game.
    """
    rules = rules_named(record.game)
    number = len(rules.seats(record.options))
    if len(seated) != number or len({player.id for player in seated}) != number:
        raise BadRequest(f"This game of {rules.title} has {number} seats, each for a different player.")
    agreed, _ = terms.terms_of_options({}, players.zone(seated[0]), simultaneous=rules.simultaneous)
    taken = ProposedGame(rules, record.options, agreed).unrated
    game = proposed_game.store(action, taken, seated)
    game.setup, game.seed_hash = record.setup, ""
    continue_record(action, game, record, played)
    return game


def not_invited(game_id: int) -> NotYours:
    """Return the error for a player who is not invited to a game; it is the same if there is no such game."""
    return NotYours(f"You are not invited to game {game_id}.")


def opponents(action: ActionContext, written: str, own: str) -> list[Invited]:
    """Return the players whom a challenger names, by name or email address.

    An unknown address becomes an unconfirmed player. Names may contain spaces: several are separated by commas
    or “and”, or by spaces alone if the text as a whole is not a name. `own` is Nabu's plain address. Raises
    BadRequest for unknown names, and for more players than any game has.
    """
    written = written.strip()
    names = [name for part in _BETWEEN_NAMES.split(written) if (name := part.strip())]
    if players.by_name(action.session, written) is not None:
        names = [written]
    elif names == [written]:
        names = written.split()
    if len(names) >= MOST_SEATS:
        raise BadRequest(
            f"You named {len(names)} players, but a game has at most {MOST_SEATS - 1} besides you."
        )
    return [_opponent(action, name, own) for name in names]


def give_words(action: ActionContext, player: Player, game_id: int, words: str) -> Game:
    """Accept the player's own challenge with words for luck; the game starts if it has waited only for them."""
    game, _ = _invitation(action, player, game_id)
    if player.id != game.asked[0]:
        raise BadRequest(
            "You give words for luck when you accept a game: write accept, and luck TEXT below it."
        )
    return accept(action, player, game_id, words)


def accept(action: ActionContext, player: Player, game_id: int, words: str = "") -> Game:
    """Accept an invitation, with the player's words for luck, if any; the last player to accept starts it."""
    game, seat = invitation(action, player, game_id)
    others = [(each, other) for each, other in log.seats(action.session, game) if other.id != player.id]
    if any(each.accepted and not other.computer and not seats.is_reachable(other) for each, other in others):
        raise _no_longer_valid(game_id)
    seat.client_seed = randomness.given(action.sealer, words) or seat.client_seed
    seat.accepted = True
    players.confirm(player, action.now)
    game.changed_at = action.now
    if all(other.accepted for other, _ in log.seats(action.session, game)):
        start_game(action, game)
    else:
        action.put_to_player(player, Accepted(), About(game_id, place=seat.number))
    return game


def decline(action: ActionContext, player: Player, game_id: int) -> Game:
    """Decline an invitation, or withdraw the player's own challenge: the game will not be played."""
    game, own = _invitation(action, player, game_id)
    seated = log.seats(action.session, game)
    mark_declined(game, seated, action.now)
    told = {player.id}
    for seat, other in seated:
        if other.id not in told:
            by = called(game, own, player, other.id)
            action.put_to_player(other, Declined(by), About(game_id, place=seat.number))
            told.add(other.id)
    return game


def mark_declined(game: Game, seated: Iterable[Seated], now: datetime) -> None:
    """Mark a game with these invited players as declined."""
    game.state = "declined"
    game.changed_at = now
    for seat, _ in seated:
        seat.over_at = now


def invitation(action: ActionContext, player: Player, game_id: int) -> tuple[Game, Seat]:
    """Return a locked game that has not started, with the seat of the invited player. Raises Refused."""
    game, seat = _invitation(action, player, game_id)
    if relations.blocked_pairs(action.session, [other for _, other in log.seats(action.session, game)]):
        raise _no_longer_valid(game_id)
    bans.check(action.session, player, action.now)
    return game, seat


def invitations(session: Session, player: Player) -> list[Game]:
    """Return the games that wait for this player's answer, oldest first."""
    query = (
        select(Game)
        .where(Seat.game_id == Game.id, Seat.player_id == player.id)
        .where(Game.state == "invited", col(Seat.accepted).is_(False))
        .order_by(col(Game.id))
    )
    return list(session.exec(query))


def games_of(
    session: Session, player: Player, states: Sequence[str], limit: int | None = None
) -> list[tuple[Game, Seat]]:
    """Return the games of a player in one of these states, such as "running", each with the player's seat.

    Games that wait for the player come first, then the newest; with `limit`, only the first of them.
    """
    query = (
        select(Game, Seat)
        .where(Seat.game_id == Game.id, Seat.player_id == player.id)
        .where(col(Game.state).in_(states))
        .order_by(col(Seat.owes).desc(), col(Game.changed_at).desc(), col(Game.id).desc())
        .limit(limit)
    )
    return list(session.exec(query))


def game_types_of(session: Session, player: Player) -> set[str]:
    """Return the names, such as "nibble", of the games that a player plays, waits for or is invited to."""
    query = (
        select(Game.game_type)
        .distinct()
        .where(Seat.game_id == Game.id, Seat.player_id == player.id)
        .where(col(Game.state).in_(("invited", "open", "running")))
    )
    return set(session.exec(query))


def seat_of(session: Session, game: Game, player: Player) -> int | None:
    """Return the number of the player's seat in a game; None without a seat."""
    return next((seat.number for seat, other in log.seats(session, game) if other.id == player.id), None)


def _opponent(action: ActionContext, name: str, own: str) -> Invited:
    if "@" in name:
        newcomers.check_open(action.session, "So challenge players by their names, not addresses.")
        return Invited(players.invite(action, name, own), players.check_address(name, own))
    player = computer_players.by_name(action, name) or players.find_known(action.session, name)
    if player is None:
        raise similar_names.unknown_player(action.session, name, ", or an email address")
    return Invited(player)


def _invite_all(action: ActionContext, game: Game, others: Sequence[Invited], *, own_words: bool) -> None:
    """Send an invitation to each of the others who has not accepted."""
    seated = log.seats(action.session, game)
    (own, challenger), *invited = seated
    own.accepted = not own_words
    for (seat, player), each in zip(invited, others, strict=True):
        seat.accepted, seat.invited_as = player.computer, each.address
    told = {challenger.id}
    for seat, player in invited:
        if not seat.accepted and player.id not in told:
            names = tuple(called(game, other, each, player.id) for other, each in seated)
            invitation = Invitation(challenger.name, names)
            action.put_to_player(player, invitation, About(log.id_of(game), place=seat.number))
            told.add(player.id)


def _invitation(action: ActionContext, player: Player, game_id: int) -> tuple[Game, Seat]:
    """Return a game that has not started, locked, and the player's seat in it. Raises BadRequest."""
    game = db.locked(action.session, Game, game_id)
    seated = [] if game is None else log.seats(action.session, game, fresh=True)
    seat = next((seat for seat, other in seated if other.id == player.id), None)
    if (
        game is not None
        and game.state == "open"
        and visibility.visible_game(action.session, game_id, player.id)
    ):
        raise BadRequest(
            f"Game {game_id} is open: write join {game_id} to join it, leave {game_id} to leave it."
        )
    if game is None or seat is None:
        raise not_invited(game_id)
    if game.state == "running":
        raise NotRunning(f"Game {game_id} has already started.")
    if game.state != "invited":
        raise _no_longer_valid(game_id, term_changes.counter_to(action.session, game))
    return game, seat


def _no_longer_valid(game_id: int, counter: int | None = None) -> GameOver:
    """Return the refusal for a late answer to an invitation; it does not reveal the reason."""
    instead = "" if counter is None else f": game {counter} was proposed instead"
    return GameOver(f"The invitation to game {game_id} is no longer valid{instead}.")
