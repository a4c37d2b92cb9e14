"""The rules of a tournament in words, for players before they join and later."""

from server.clock.spans import in_words
from server.pairing.standings import TIE_BREAKS
from server.tournaments.plan import TournamentPlan

COMING_IN = {
    "swiss": "If a player leaves in round 1, the first on the waiting list gets the place from round 2 on.",
    "ladder": "If a player leaves, the first on the waiting list gets the place immediately.",
}
"""The rule for late players in a tournament that has started, by the forms that accept them."""


UNFINISHED = (
    "the player who used more thinking time loses, and equal thinking time is a draw. Thinking time is the "
    "time for which a player’s clock ran: pauses, vacations and downtime are not counted. The result is not "
    "rated"
)
"""The rule for unfinished games: half a sentence and more."""


def describe(plan: TournamentPlan) -> list[str]:
    """Return all rules of a tournament besides the terms of its games, one text for each point."""
    return [
        _form(plan),
        _beginning(plan),
        _games(plan),
        *_points(plan),
        *_adjudication(plan),
        _leaving(plan),
        *_unready(plan),
        _blocked(plan),
    ]


def _form(plan: TournamentPlan) -> str:
    match plan.form.name:
        case "round-robin" | "double":
            begin = "All games start together." if plan.together else "Rounds follow one another."
            return f"{plan.form.about} {begin}"
        case "swiss":
            rounds = "as many as it takes to find a winner" if plan.rounds is None else plan.rounds
            return (
                f"{plan.form.about} Rounds: {rounds}. A player without an opponent in a round "
                "(a bye) gets one point. No player gets a second bye if it can be avoided."
            )
        case "knock-out":
            return (
                f"{plan.form.about} A drawn game is repeated with swapped seats; if that is drawn "
                "too, the player who used less thinking time in both games advances. If an administrator "
                "corrects the first game so that it is no longer a draw, the second does not count. The best "
                "seeds may have a bye in the first round."
            )
    return f"{plan.form.about} It lasts {in_words(plan.lasts)}; games unfinished at its end do not count."


def _beginning(plan: TournamentPlan) -> str:
    begins = "It starts when sign-up ends"
    if plan.early:
        begins += f", or as soon as {plan.most} players have joined"
    seeds = " Seeds only decide between pairings that are equally good." if plan.form.name == "ladder" else ""
    return (
        f"The tournament needs {plan.least} players and has {plan.most} places; further players go on a "
        f"waiting list. {begins}. Players are seeded by their best rating of the last year in this game at "
        f"this pace; players without a rating come last, in an order drawn by lot.{seeds}"
    )


def _games(plan: TournamentPlan) -> str:
    return (
        "Games start automatically, without an invitation. The tournament assigns the seats: each player has "
        "the first seat about as often as the second."
    )


def _points(plan: TournamentPlan) -> list[str]:
    if not plan.form.ties:
        return []
    ties = [f"{TIE_BREAKS[name].title} ({TIE_BREAKS[name].about})" for name in plan.ties]
    return [
        "A win is a point, a draw half a point.",
        f"Tie-breaks for players with the same points: {', then '.join(ties)}.",
    ]


def _adjudication(plan: TournamentPlan) -> list[str]:
    if not plan.adjudicates:
        return []
    return [
        f"A game that is unfinished after {in_words(plan.after)} of play ends: {UNFINISHED}. "
        f"Both players are notified {in_words(plan.notice)} before."
    ]


def _leaving(plan: TournamentPlan) -> str:
    later = None if plan.rounds == 1 else COMING_IN.get(plan.form.name)
    return (
        "A player who leaves before the start makes room for the first on the waiting list. A player who "
        f"leaves later loses all their unfinished games in the tournament.{f' {later}' if later else ''}"
    )


def _unready(plan: TournamentPlan) -> list[str]:
    if not plan.form.keeps_apart:
        return []
    return ["Players who are suspended, or get no email, are not paired until they can start games again."]


def _blocked(plan: TournamentPlan) -> str:
    match plan.form.name:
        case "ladder":
            return "If one of two players has blocked the other, they never meet."
        case "swiss":
            return (
                "If one of two players has blocked the other, they meet only if no other pairing is possible; "
                "the one who blocked the other does not see their messages."
            )
    return (
        "Anyone may join, and players may meet even if one has blocked the other; the one who "
        "blocked the other does not see their messages."
    )


def lot_in_words(lot_hash: str, lot: str) -> str:
    """Return a sentence with the secret of the lot and its hash (see `models.Tournament`); "" without one."""
    if lot:
        return (
            f"The lot was drawn from the secret {lot}. Its hash (SHA-256), public from the beginning: "
            f"{lot_hash}."
        )
    if lot_hash:
        return (
            "The lot is drawn from a secret that is shown when the tournament starts. Its hash (SHA-256): "
            f"{lot_hash}."
        )
    return ""


def count(value: float) -> str:
    """Return the value of a tie-break, which may have quarters: "4.25", "3"."""
    return f"{value:g}".removeprefix("-")


def rounds_in_words(first: int, last: int) -> str:
    """Return the rounds as text: "round 2", "rounds 1 to 5"."""
    return f"round {first}" if first == last else f"rounds {first} to {last}"
