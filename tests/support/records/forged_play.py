"""Forgeries of everything at once, with no mistake but against the rules of the game."""

from __future__ import annotations

from tests.support.records.forgery import Case, Complaint, Forgeries

FORGERIES = Forgeries()


@FORGERIES.enter()
def play_what_is_no_move(case: Case) -> Complaint:
    turn = case.middle("move")
    case.turns[turn - 1]["line"]["move"] = "z99"
    case.everywhere()
    return "turns", turn


@FORGERIES.enter()
def pass_where_something_can_be_played(case: Case) -> Complaint:
    case.turns[0]["line"]["move"] = "pass"
    case.everywhere()
    return "turns", 1


@FORGERIES.enter()
def let_the_other_seat_move(case: Case) -> Complaint:
    line = case.turns[2]["line"]
    line["seat"] = 1 - line["seat"]
    case.everywhere()
    return "turns", 3


@FORGERIES.enter("nardshir")
def leave_dice_out_everywhere(case: Case) -> Complaint:
    turn = case.middle("dice")
    del case.turns[turn - 1]["line"]["dice"]
    case.everywhere()
    return "turns", turn


@FORGERIES.enter("nardshir")
def roll_one_die_alone(case: Case) -> Complaint:
    case.turns[0]["line"]["dice"] = case.turns[0]["line"]["dice"][:1]
    case.everywhere()
    return "turns", 1


@FORGERIES.enter()
def play_on_after_the_end(case: Case) -> Complaint:
    turn = len(case.turns) + 1
    case.log.insert(-1, {"body": {"type": "turn", "turn": turn, "line": {"seat": 0, "move": "a1"}}})
    case.everywhere()
    return "turns", turn


@FORGERIES.enter()
def play_by_other_rules(case: Case) -> Complaint:
    case.begin["rules"] += 1
    case.everywhere()
    return "turns", 0


@FORGERIES.enter()
def let_the_loser_win(case: Case) -> Complaint:
    case.end["result"]["winners"] = [1 - case.end["result"]["winners"][0]]
    case.everywhere()
    return "result", 0


@FORGERIES.enter("nibble")
def end_the_game_a_turn_early(case: Case) -> Complaint:
    del case.log[-2]
    case.everywhere()
    return "result", 0


@FORGERIES.enter("nibble")
def say_that_somebody_resigned(case: Case) -> Complaint:
    del case.log[-2]
    case.end["result"] = {"winners": [0], "reason": "resigned"}
    case.everywhere()
    return "result", 0


@FORGERIES.enter("nibble")
def agree_on_a_draw_alone(case: Case) -> Complaint:
    del case.log[-2]
    case.end["result"] = {"winners": [0], "reason": "agreed-draw"}
    case.everywhere()
    return "result", 0


@FORGERIES.enter("nibble")
def hide_the_end(case: Case) -> Complaint:
    case.log.pop()
    case.everywhere()
    return "result", 0
