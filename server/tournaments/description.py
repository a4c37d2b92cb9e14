"""What players are told of how a tournament is played, before they enter it and ever after."""

from server.clock.spans import in_words
from server.pairing.standings import TIE_BREAKS
from server.tournaments.plan import TournamentPlan

COMING_IN = {
    "swiss": "If somebody leaves in round 1, the first of those who wait plays from round 2 on.",
    "ladder": "If somebody leaves, the first of those who wait plays at once.",
}
"""What is told of a tournament that has begun, in the forms in which others can come in."""


UNFINISHED = (
    "the player who used more thinking time loses, and equal thinking time is a draw. Thinking time is the "
    "time for which a player’s clock ran: pauses, vacations and downtime are not counted. The result is not "
    "rated"
)
"""How an unfinished game is decided, as half a sentence and more."""


def describe(plan: TournamentPlan) -> list[str]:
    """All that holds in a tournament besides the terms of its games, one text for each point."""
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
            begin = "All games begin at once." if plan.together else "One round begins after the other."
            return f"{plan.form.about} {begin}"
        case "swiss":
            rounds = "as many as it takes to find a winner" if plan.rounds is None else plan.rounds
            return (
                f"{plan.form.about} Rounds: {rounds}. Whoever has no opponent in a round has a point for "
                "it; that happens to nobody twice if it can be avoided."
            )
        case "knock-out":
            return (
                f"{plan.form.about} A drawn game is played once more with seats changed; if that is drawn, "
                "too, the player who used less thinking time in both games goes on. If an administrator "
                "corrects the first so that it is no draw, it alone decides. The best seeds may be free in the "
                "first round."
            )
    return f"{plan.form.about} It lasts {in_words(plan.lasts)}; games that are not over then no longer count."


def _beginning(plan: TournamentPlan) -> str:
    begins = "It begins when sign-up ends"
    if plan.early:
        begins += f", or as soon as {plan.most} players have entered"
    return (
        f"It needs {plan.least} players and has room for {plan.most}; the next wait for a place. {begins}. "
        "Players are seeded by their best rating of the last year in this game at this pace; players without a "
        "rating come last, in an order drawn by lot."
    )


def _games(plan: TournamentPlan) -> str:
    return "Games begin by themselves, without an invitation. The tournament says who has which seat, in turns."


def _points(plan: TournamentPlan) -> list[str]:
    if not plan.form.ties:
        return []
    ties = [f"{TIE_BREAKS[name].title} ({TIE_BREAKS[name].about})" for name in plan.ties]
    return [
        "A win is a point, a draw half a point.",
        f"Among those with the same points, what decides is: {', then '.join(ties)}.",
    ]


def _adjudication(plan: TournamentPlan) -> list[str]:
    if not plan.adjudicates:
        return []
    return [
        f"A game that is not over when it has been played for {in_words(plan.after)} ends then: {UNFINISHED}. "
        f"Both players are notified {in_words(plan.notice)} before."
    ]


def _leaving(plan: TournamentPlan) -> str:
    later = None if plan.rounds == 1 else COMING_IN.get(plan.form.name)
    return (
        "Whoever leaves before it begins makes room for the first of those who wait. Whoever leaves later "
        f"loses the games that they still have in it.{f' {later}' if later else ''}"
    )


def _unready(plan: TournamentPlan) -> list[str]:
    if not plan.form.keeps_apart:
        return []
    return ["Whoever is suspended, or gets no email, is not paired until they can begin games again."]


def _blocked(plan: TournamentPlan) -> str:
    match plan.form.name:
        case "ladder":
            return "Two players of whom one has blocked the other never meet."
        case "swiss":
            return (
                "Two players of whom one has blocked the other meet only if nobody could be paired otherwise; "
                "whoever has blocked the other does not see what they say."
            )
    return (
        "Anyone may enter, and players may meet although one of them has blocked the other; whoever has "
        "blocked the other does not see what they say."
    )


def lot_in_words(lot_hash: str, lot: str) -> str:
    """The secret of the lot and its hash, as in `models.Tournament`; "" where there is none."""
    if lot:
        return f"The lot was drawn from the secret {lot}. Its SHA-256, shown from the beginning: {lot_hash}."
    if lot_hash:
        return (
            f"The lot is drawn from a secret that is shown when the tournament begins. Its SHA-256: {lot_hash}."
        )
    return ""


def count(value: float) -> str:
    """The value of a tie-break, which may have quarters: "4.25", "3"."""
    return f"{value:g}".removeprefix("-")


def rounds_in_words(first: int, last: int) -> str:
    """Which rounds: "round 2", "rounds 1 to 5"."""
    return f"round {first}" if first == last else f"rounds {first} to {last}"
