"""Texts that agree or refuse, to an offer or to the question “Was this you?”."""

from __future__ import annotations

import pytest

from server.interpretation import agreement_phrases
from server.interpretation.agreement import Stance, direction, may_agree, stance
from server.interpretation.doubts import DOUBTFUL
from server.interpretation.reply_checks import courtesy_among

COURTESY = courtesy_among(["Ann", "Karl"])
AGREES, LEANS, REFUSES = Stance.AGREES, Stance.LEANS, Stance.REFUSES


STANCES: dict[Stance | None, list[str]] = {
    AGREES: [
        *(
            "Agreed",
            "it’s a deal!",
            "Yes, sure!",
            "Sure, why not?",
            "ok, agreed :)",
            "Ja tak",
            "Oui, avec plaisir",
        ),
        *("I accept your draw offer, thanks Karl", "Hi Karl,\n\nsure!\n\nCheers\nZoe"),
        *("Lieber Kurt, ja gerne, da mache ich mit!", "Oui, avec plaisir"),
    ],
    LEANS: ["ok", "Why not?", "Great!", "Tak", "Kein Problem", "Sounds good, Karl"],
    REFUSES: ["No, thanks", "Nein danke", "Leider nicht", "Not now, sorry"],
    None: [
        *("Sure?", "Of course not", "yes, no", "Sure, play on", "agreed 5", "", "Karl", "Sure.\nBut not now."),
        *("I am not sure", "I agreed to nothing", "ja 👎", "ja " * 39 + "nein", "ja " * 60, "ja ja\n" * 2),
        "Thanks for the game",
    ],
}
DIRECTIONS: dict[Stance | None, list[str]] = {
    AGREES: ["ok", "Ja, ich nehme an", "Sure, I was hoping for it", "We say: count me in"],
    REFUSES: ["Leider keine Zeit, danke für die Einladung", "Ich habe keine Zeit", "No!"],
    None: [
        *("I am not sure", "Yes, but not now", "Sure, if you like", "I have no idea", "Who are you?", "Surely"),
        *("Sure, what is this?", "ja 👎", "no or yes"),
    ],
}


@pytest.mark.parametrize(("text", "wanted"), [(text, each) for each in STANCES for text in STANCES[each]])
def test_stance_needs_the_whole_text(text: str, wanted: Stance | None) -> None:
    assert stance(text, COURTESY) is wanted
    assert may_agree(text) or wanted not in (AGREES, LEANS)


@pytest.mark.parametrize(("text", "wanted"), [(text, each) for each in DIRECTIONS for text in DIRECTIONS[each]])
def test_direction_of_other_texts_is_clear_or_none(text: str, wanted: Stance | None) -> None:
    assert direction(text, COURTESY) is wanted


@pytest.mark.parametrize("name", ["AGREEING", "WROTE_IT"])
def test_no_phrase_that_agrees_doubts(name: str) -> None:
    table = getattr(agreement_phrases, name).replace("\n", ";").replace("_", " ").replace("|", " ")
    assert not DOUBTFUL.intersection(table.replace(";", " ").split())
