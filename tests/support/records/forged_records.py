"""Forgeries of a record that then says something else than its log."""

from __future__ import annotations

from tests.support.records.forgery import Case, Complaint, Forgeries, other_die

FORGERIES = Forgeries()


@FORGERIES.enter("nardshir")
def change_a_die_in_the_record(case: Case) -> Complaint:
    turn = case.middle("dice")
    dice = case.record["turns"][turn - 1]["dice"]
    dice[0] = other_die(dice[0])
    return "record", turn


@FORGERIES.enter("nardshir")
def leave_dice_out_of_the_record(case: Case) -> Complaint:
    turn = case.middle("dice")
    del case.record["turns"][turn - 1]["dice"]
    return "record", turn


@FORGERIES.enter("nelaxtam")
def leave_orders_out_of_the_record(case: Case) -> Complaint:
    turn = case.middle("orders")
    del case.record["turns"][turn - 1]["orders"]["1"]
    return "record", turn


@FORGERIES.enter()
def change_a_turn_in_the_record(case: Case) -> Complaint:
    turn = case.middle("move")
    case.record["turns"][turn - 1]["move"] += " "
    return "record", turn


@FORGERIES.enter()
def swap_and_renumber_turns_in_the_log(case: Case) -> Complaint:
    turn = case.middle("move") - 1
    one, two = case.turns[turn - 1], case.turns[turn]
    one["line"], two["line"] = two["line"], one["line"]
    case.rehash()
    return "record", turn


@FORGERIES.enter()
def drop_the_last_turn_of_the_record(case: Case) -> Complaint:
    case.record["turns"].pop()
    return "record", 0


@FORGERIES.enter()
def add_a_turn_to_the_record(case: Case) -> Complaint:
    case.record["turns"].append({"seat": 0, "move": "a1"})
    return "record", 0


@FORGERIES.enter()
def drop_the_last_turn_of_the_log(case: Case) -> Complaint:
    del case.log[-2]
    case.rehash()
    return "record", 0


@FORGERIES.enter()
def change_the_options_of_the_record(case: Case) -> Complaint:
    case.record["options"]["size"] = 5 if case.record["options"]["size"] != 5 else 6
    return "record", 0


@FORGERIES.enter()
def change_the_options_in_the_log(case: Case) -> Complaint:
    case.begin["options"]["size"] = 5 if case.record["options"]["size"] != 5 else 6
    case.rehash()
    return "record", 0


@FORGERIES.enter("nibble")
def change_the_layout_of_the_record(case: Case) -> Complaint:
    case.record["setup"] = case.other["setup"]
    return "record", 0


@FORGERIES.enter()
def change_a_name_in_the_record(case: Case) -> Complaint:
    case.record["seats"][0] += "a"
    return "record", 0


@FORGERIES.enter()
def exchange_seats_in_the_record(case: Case) -> Complaint:
    case.record["seats"].reverse()
    return "record", 0


@FORGERIES.enter()
def change_the_result_of_the_record(case: Case) -> Complaint:
    winners = case.record["result"]["winners"]
    case.record["result"]["winners"] = [1 - winners[0]]
    return "record", 0


@FORGERIES.enter()
def take_the_result_out_of_the_record(case: Case) -> Complaint:
    case.record["result"] = None
    return "record", 0


@FORGERIES.enter()
def drop_the_end(case: Case) -> Complaint:
    case.log.pop()
    return "record", 0


@FORGERIES.enter()
def say_that_it_was_another_game(case: Case) -> Complaint:
    case.begin["kind"] = "nibble"
    case.rehash()
    return "record", 0
