"""The labels of form fields for the options of games and tournaments."""

from server.wording import Wording

LABELS = {
    "players": "Players",
    "places": "Places",
    "signup": "Sign-up is open for",
    "after": "A game ends after",
    "early": "Start",
    "rounds": "Rounds (Swiss only)",
    "together": "Games (round robin only)",
    "lasts": "Duration (ladder only)",
    "ties": "Tie-breaks",
    "format": "Format",
    "time": "Another time for each move",
    "weekends": "At weekends",
    "timeout": "When time is up",
    "grace": "Grace period after a deadline",
    "rated": "Ratings",
    "show-ready": "Show which players have sent orders",
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
