"""Forgeries of a log whose record is left as it was, or made to fit without care."""

from __future__ import annotations

from tests.support.records.forgery import Case, Complaint, Forgeries, other_die, other_text

FORGERIES = Forgeries()


# Changes that leave the hashes as they were


@FORGERIES.enter("nardshir")
def change_a_die_in_the_log(case: Case) -> Complaint:
    turn = case.middle("dice")
    dice = case.turns[turn - 1]["line"]["dice"]
    dice[0] = other_die(dice[0])
    return "log", case.entry_of(turn)


@FORGERIES.enter()
def swap_two_turns_in_the_log(case: Case) -> Complaint:
    at = case.middle()
    case.log[at], case.log[at + 1] = case.log[at + 1], case.log[at]
    return "log", at + 1


@FORGERIES.enter("nelaxtam")
def alter_orders_and_keep_the_commitment_in_the_log(case: Case) -> Complaint:
    turn = case.middle("orders")
    case.turns[turn - 1]["line"]["orders"]["0"] += ", 1 hold"
    return "log", case.entry_of(turn)


@FORGERIES.enter("nelaxtam")
def alter_orders_and_commitment_in_the_log(case: Case) -> Complaint:
    turn = case.middle("orders")
    case.turns[turn - 1]["line"]["orders"]["0"] += ", 1 hold"
    case.commit(turn, "0")
    return "log", case.entry_of(turn)


@FORGERIES.enter()
def drop_an_entry_in_the_middle(case: Case) -> Complaint:
    at = case.middle()
    del case.log[at]
    return "log", at + 1


@FORGERIES.enter()
def double_an_entry(case: Case) -> Complaint:
    at = case.middle()
    case.log.insert(at, case.log[at])
    return "log", at + 2


@FORGERIES.enter()
def drop_the_first_entry(case: Case) -> Complaint:
    del case.log[0]
    return "log", 1


@FORGERIES.enter()
def move_the_end_before_the_last_turn(case: Case) -> Complaint:
    case.log.insert(-1, case.log.pop())
    return "log", len(case.log) - 1


@FORGERIES.enter()
def change_the_seed_in_the_log(case: Case) -> Complaint:
    case.end["seed"] = other_text(case.end["seed"])
    return "log", len(case.log)


@FORGERIES.enter()
def change_the_result_in_the_log(case: Case) -> Complaint:
    case.end["result"]["reason"] = "patience"
    return "log", len(case.log)


@FORGERIES.enter()
def change_the_hash_of_the_seed_in_the_log(case: Case) -> Complaint:
    case.begin["seed_hash"] = other_text(case.begin["seed_hash"])
    return "log", 1


@FORGERIES.enter()
def change_the_words_for_luck_in_the_log(case: Case) -> Complaint:
    case.begin["luck"][0] += "!"
    return "log", 1


@FORGERIES.enter()
def change_what_the_house_settled_in_the_log(case: Case) -> Complaint:
    case.begin["house"]["delay"] = 59
    return "log", 1


@FORGERIES.enter()
def change_a_hash(case: Case) -> Complaint:
    at = case.middle()
    case.log[at]["hash"] = other_text(case.log[at]["hash"])
    return "log", at + 1


@FORGERIES.enter()
def write_a_hash_in_capitals(case: Case) -> Complaint:
    at = case.middle()
    case.log[at]["hash"] = case.log[at]["hash"].upper()
    return "log", at + 1


@FORGERIES.enter()
def take_an_entry_of_another_game(case: Case) -> Complaint:
    case.log[1] = case.other["proof"]["log"][1]
    return "log", 2


@FORGERIES.enter()
def take_the_log_of_another_game(case: Case) -> Complaint:
    case.record["proof"] = case.other["proof"]
    if case.begin["seats"] != case.record["seats"]:
        return "record", 0
    return "record", next(
        n for n, body in enumerate(case.turns, 1) if body["line"] != case.record["turns"][n - 1]
    )


@FORGERIES.enter()
def leave_the_body_of_an_entry_out(case: Case) -> Complaint:
    at = case.middle()
    del case.log[at]["body"]
    return "log", at + 1


@FORGERIES.enter()
def leave_no_entries(case: Case) -> Complaint:
    case.log.clear()
    return "log", 0


@FORGERIES.enter()
def name_a_character_that_is_none(case: Case) -> Complaint:
    case.begin["house"]["motto"] = "\ud800"
    case.rehash()
    return "form", 0


# Hashes made to fit: the order and form of entries


@FORGERIES.enter()
def drop_a_turn_and_make_hashes_fit(case: Case) -> Complaint:
    at = case.middle()
    del case.log[at]
    case.everywhere()
    return "log", at + 1


@FORGERIES.enter()
def double_a_turn_and_make_hashes_fit(case: Case) -> Complaint:
    at = case.middle()
    case.log.insert(at, {"body": case.log[at]["body"]})
    case.everywhere()
    return "log", at + 2


@FORGERIES.enter()
def swap_two_turns_and_make_hashes_fit(case: Case) -> Complaint:
    swap_two_turns_in_the_log(case)
    case.everywhere()
    return "log", case.middle() + 1


@FORGERIES.enter()
def end_the_game_before_its_last_turn(case: Case) -> Complaint:
    move_the_end_before_the_last_turn(case)
    case.rehash()
    return "log", len(case.log)


@FORGERIES.enter()
def end_the_game_twice(case: Case) -> Complaint:
    case.log.append({"body": case.end})
    case.rehash()
    return "log", len(case.log)


@FORGERIES.enter()
def begin_the_game_twice(case: Case) -> Complaint:
    case.log.insert(1, {"body": case.begin})
    case.rehash()
    return "log", 2


@FORGERIES.enter()
def begin_without_an_entry(case: Case) -> Complaint:
    del case.log[0]
    case.rehash()
    return "log", 1


@FORGERIES.enter()
def end_the_game_without_a_seed(case: Case) -> Complaint:
    del case.end["seed"]
    case.rehash()
    return "log", len(case.log)


@FORGERIES.enter()
def write_the_number_of_a_turn_as_a_text(case: Case) -> Complaint:
    turn = case.middle()
    at = case.entry_of(turn)
    case.turns[turn - 1]["turn"] = str(turn)
    case.rehash()
    return "log", at


@FORGERIES.enter()
def write_the_number_of_the_first_turn_as_true(case: Case) -> Complaint:
    case.turns[0]["turn"] = True
    case.rehash()
    return "log", 2


@FORGERIES.enter()
def put_two_lines_into_the_words_for_luck(case: Case) -> Complaint:
    case.begin["luck"] = ["one\ntwo", ""]
    case.rehash()
    return "log", 1


@FORGERIES.enter()
def give_words_for_luck_to_a_seat_that_is_not_there(case: Case) -> Complaint:
    case.begin["luck"].append("mine")
    case.rehash()
    return "log", 1


@FORGERIES.enter("nelaxtam")
def write_a_nonce_of_two_lines(case: Case) -> Complaint:
    turn = case.middle("orders")
    case.turns[turn - 1]["opened"]["0"]["nonce"] += "\n1"
    case.commit(turn, "0")
    case.everywhere()
    return "log", case.entry_of(turn)
