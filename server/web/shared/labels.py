"""The labels of form fields for the options of games and tournaments."""

from server.wording import Wording

LABELS = {
    "places": "Places",
    "signup": "Sign-up is open for",
    "after": "A game ends after",
    "early": "Start",
    "rounds": "Rounds of a Swiss",
    "together": "Games of a round robin",
    "lasts": "Duration of a ladder",
    "ties": "Tie-breaks",
    "form": "Form",
    "time": "Another time for each move",
    "weekends": "At weekends",
    "timeout": "When time is up",
    "grace": "Grace after a deadline",
    "rated": "Ratings",
    "show-ready": "Who can see whose orders are in",
    "misses": "Missed turns in a row before losing",
    "delay": "Time to change orders",
    "games": "Games in a row",
    "private": "Who can see the game",
    "anonymous": "Names of the players",
    "rating": "Rating of opponents",
    "in-time": "Turns answered in time",
    "always": "Games at the same time",
    "company": "If nobody joins",
}

AT_FORM = Wording(LABELS)
