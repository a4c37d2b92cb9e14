"""Forgeries of a game by a person who makes all hashes match, so that record and log agree."""

from __future__ import annotations

import hashlib
import itertools

from rules.records.proof import Seed
from tests.support.records.forgery import Case, Complaint, Forgeries, other_die, other_text

FORGERIES = Forgeries()


# Everything is made to match except earlier emails


@FORGERIES.enter("nelaxtam")
def alter_orders_and_keep_the_commitment(case: Case) -> Complaint:
    turn = case.middle("orders")
    case.turns[turn - 1]["line"]["orders"]["0"] += ", 9 hold"
    case.everywhere()
    return "envelopes", turn


@FORGERIES.enter("nelaxtam")
def exchange_the_orders_of_two_seats(case: Case) -> Complaint:
    turn = case.middle("orders")
    orders = case.turns[turn - 1]["line"]["orders"]
    orders["0"], orders["1"] = orders["1"], orders["0"]
    case.everywhere()
    return "envelopes", turn


@FORGERIES.enter("nelaxtam")
def open_an_envelope_in_another_turn(case: Case) -> Complaint:
    first, second = case.turns[0], case.turns[1]
    first["line"], second["line"] = second["line"], first["line"]
    first["opened"], second["opened"] = second["opened"], first["opened"]
    case.everywhere()
    return "envelopes", 1


@FORGERIES.enter("nelaxtam")
def change_a_nonce(case: Case) -> Complaint:
    turn = case.middle("orders")
    envelope = case.turns[turn - 1]["opened"]["1"]
    envelope["nonce"] = other_text(envelope["nonce"])
    case.everywhere()
    return "envelopes", turn


@FORGERIES.enter("nelaxtam")
def use_a_nonce_again(case: Case) -> Complaint:
    turn = case.middle("orders")
    case.turns[turn - 1]["opened"]["1"]["nonce"] = case.turns[0]["opened"]["0"]["nonce"]
    case.commit(turn, "1")
    case.everywhere()
    return "envelopes", turn


@FORGERIES.enter("nelaxtam")
def use_a_nonce_for_both_seats(case: Case) -> Complaint:
    turn = case.middle("orders")
    opened = case.turns[turn - 1]["opened"]
    opened["1"]["nonce"] = opened["0"]["nonce"]
    case.commit(turn, "1")
    case.everywhere()
    return "envelopes", turn


@FORGERIES.enter("nelaxtam")
def lose_an_envelope(case: Case) -> Complaint:
    turn = case.middle("orders")
    del case.turns[turn - 1]["opened"]["0"]
    case.everywhere()
    return "envelopes", turn


@FORGERIES.enter("nelaxtam")
def lose_orders_and_keep_the_envelope(case: Case) -> Complaint:
    turn = case.middle("orders")
    del case.turns[turn - 1]["line"]["orders"]["0"]
    case.everywhere()
    return "envelopes", turn


@FORGERIES.enter("nelaxtam")
def lose_all_envelopes_of_a_turn(case: Case) -> Complaint:
    turn = case.middle("orders")
    del case.turns[turn - 1]["opened"]
    case.everywhere()
    return "envelopes", turn


@FORGERIES.enter("nelaxtam")
def take_the_number_of_another_game(case: Case) -> Complaint:
    case.begin["game"] += 1
    case.everywhere()
    return "envelopes", 1


@FORGERIES.enter()
def take_the_seed_of_another_game(case: Case) -> Complaint:
    case.end["seed"] = case.other["proof"]["log"][-1]["body"]["seed"]
    case.everywhere()
    return "seed", 0


@FORGERIES.enter()
def make_a_new_hash_for_the_seed(case: Case) -> Complaint:
    case.begin["seed_hash"] = case.other["proof"]["log"][0]["body"]["seed_hash"]
    case.everywhere()
    return "seed", 0


@FORGERIES.enter("nexus")
def exchange_seats_everywhere(case: Case) -> Complaint:
    case.begin["seats"].reverse()
    case.everywhere()
    return "seats", 0


@FORGERIES.enter()
def name_the_players_in_another_order(case: Case) -> Complaint:
    case.begin["asked"].reverse()
    case.everywhere()
    return "seats", 0


@FORGERIES.enter()
def give_a_seat_to_somebody_else(case: Case) -> Complaint:
    case.begin["seats"][0] = "Zoë"
    case.everywhere()
    return "seats", 0


@FORGERIES.enter("nibble")
def change_the_layout_everywhere(case: Case) -> Complaint:
    case.begin["setup"] = case.other["setup"]
    case.everywhere()
    return "layout", 0


@FORGERIES.enter("nibble")
def change_the_words_that_gave_the_layout(case: Case) -> Complaint:
    change_the_words(case)
    case.everywhere()
    return "layout", 0


@FORGERIES.enter("nardshir")
def change_a_die_everywhere(case: Case) -> Complaint:
    turn = case.middle("dice")
    dice = case.turns[turn - 1]["line"]["dice"]
    dice[0] = other_die(dice[0])
    case.everywhere()
    return "dice", turn


@FORGERIES.enter("nardshir")
def roll_the_dice_of_another_turn(case: Case) -> Complaint:
    rolls = [
        (number, body["line"]["dice"]) for number, body in enumerate(case.turns, 1) if "dice" in body["line"]
    ]
    one, two = next(pair for pair in itertools.pairwise(rolls) if pair[0][1] != pair[1][1])
    one[1][:], two[1][:] = two[1].copy(), one[1].copy()
    case.everywhere()
    return "dice", one[0]


@FORGERIES.enter("nardshir")
def turn_a_roll_around(case: Case) -> Complaint:
    lines = [(number, body["line"]) for number, body in enumerate(case.turns, 1)]
    number, line = next((n, line) for n, line in lines if len(set(line.get("dice", ()))) > 1)
    line["dice"].reverse()
    case.everywhere()
    return "dice", number


@FORGERIES.enter("nardshir")
def exchange_the_words_for_luck(case: Case) -> Complaint:
    change_the_words(case)
    case.everywhere()
    return "dice", None


@FORGERIES.enter()
def change_the_words_that_gave_the_seats(case: Case) -> Complaint:
    change_the_words(case, seats_stay=False)
    case.everywhere()
    return "seats", 0


def change_the_words(case: Case, *, seats_stay: bool = True) -> None:
    """Give a player other words, such that the lot gives the same seats, or others."""
    begin, seed = case.begin, Seed(bytes.fromhex(case.end["seed"]))
    for number in itertools.count():
        begin["luck"][1] = f"other words {number}"
        words = dict(zip(begin["seats"], begin["luck"], strict=True))
        lot = seed.seats(begin["game"], [words[name] for name in begin["asked"]])
        if (lot.shuffle(begin["asked"]) == begin["seats"]) == seats_stay:
            return


# Everything is made to match, but a reader has kept an email


@FORGERIES.enter("nelaxtam")
def alter_orders_and_commitment_everywhere(case: Case) -> Complaint:
    case.heads.append(case.log[-1]["hash"])
    turn = case.middle("orders")
    case.turns[turn - 1]["line"]["orders"]["0"] += ", 9 hold"
    case.commit(turn, "0")
    case.everywhere()
    return "heads", 0


@FORGERIES.enter()
def change_the_terms_of_the_house_everywhere(case: Case) -> Complaint:
    case.heads.append(case.log[0]["hash"])
    case.begin["house"]["delay"] = 59
    case.everywhere()
    return "heads", 0


@FORGERIES.enter()
def let_the_game_go_on(case: Case) -> Complaint:
    case.heads.append(case.log[-2]["hash"])
    del case.log[-2:]
    case.everywhere()
    return "heads", 0


@FORGERIES.enter()
def slip_in_an_entry_of_an_unknown_type(case: Case) -> Complaint:
    case.heads.append(case.log[case.middle()]["hash"])
    case.log.insert(1, {"body": {"type": "note", "text": "none of this happened"}})
    case.everywhere()
    return "heads", 0


@FORGERIES.enter()
def take_another_seed_everywhere(case: Case) -> Complaint:
    case.heads.append(case.log[0]["hash"])
    seed = bytes(32)
    case.end["seed"], case.begin["seed_hash"] = seed.hex(), hashlib.sha256(seed).hexdigest()
    case.everywhere()
    return "heads", 0


@FORGERIES.enter()
def show_a_mail_of_another_game(case: Case) -> Complaint:
    case.heads.append(case.other["proof"]["log"][1]["hash"])
    return "heads", 0
