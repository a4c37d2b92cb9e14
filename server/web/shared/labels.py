"""What the fields of forms are called in which games and tournaments are proposed, by option."""

from server.wording import Wording

LABELS = {
    "places": "Places",
    "signup": "Sign-up is open for",
    "after": "A game ends after",
    "early": "Beginning",
    "rounds": "Rounds of a Swiss",
    "together": "Games of a round robin",
    "lasts": "A ladder lasts",
    "ties": "Tie-breaks",
    "form": "Form",
    "time": "Another time for each move",
    "weekends": "At weekends",
    "timeout": "When time is up",
    "grace": "Grace after a deadline",
    "rated": "Ratings",
    "show-ready": "Who is told whose orders are in",
    "misses": "Missed turns in a row before losing",
    "delay": "Time to change them",
    "games": "Games, one after the other",
    "private": "Who can see the game",
    "anonymous": "Who is told who plays",
    "rating": "Rating",
    "in-time": "Turns answered in time",
    "always": "Always up for",
    "company": "If nobody joins",
}

AT_FORM = Wording(LABELS)
