"""Subjects of sentences: suggestions for emails to the plain address that fit no command and no phrase.

The words of a sentence lead only to lists and to help, never to a command that changes something.
"""

import re
from dataclasses import dataclass

_LONGEST = 200  # characters of a sentence


@dataclass(frozen=True)
class Subject:
    """Words that occur in sentences about one subject, with commands to suggest and a sentence to explain."""

    words: str
    """Separated by spaces; `_` stands for a space, `*` for any ending."""
    choices: tuple[str, ...]
    explanation: str = ""

    def is_in(self, sentence: str) -> bool:
        """Return whether a sentence contains one of the words."""
        words = "|".join(map(re.escape, self.words.split()))
        pattern = words.replace("_", r"[\s-]+").replace(r"\*", r"\w*")
        return re.search(rf"(?<![\w@.])(?:{pattern})(?![\w@])", sentence, re.IGNORECASE) is not None


SUBJECTS = (
    Subject(
        "in_english in_german in_french in_spanish in_italian in_dutch in_polish in_swedish in_portuguese "
        "in_russian auf_deutsch en_français en_español in_italiano in_het_nederlands po_polsku på_svenska "
        "em_português my_language german french spanish italian dutch speak_english deutsch",
        ("help",),
        "Nabu writes in English only, but understands many sentences in other languages.",
    ),
    Subject(
        "bot robot human real_person",
        ("help", "lobby"),
        "Nabu is a program. People play here, and so do computer players.",
    ),
    Subject(
        "thank thanks thankyou danke merci gracias grazie obrigado obrigada bedankt dziękuję tack спасибо",
        ("help messages",),
        "Nabu is a program. To thank a player, write for example: tell Ben Thank you!",
    ),
    Subject("computer computers engine", ("help challenge",)),
    Subject("app iphone ipad android website web_site web_page* browser password* log_in", ("login",)),
    Subject(
        "tournament* turnier* tournoi* torneo* toernooi* turniej* torneio* turnering* league cup",
        ("tournaments", "help tournaments"),
    ),
    Subject(
        "email_address* mail_address* e-mail_address* addresse* e-mail_adresse* mailadresse* dirección "
        "indirizzo",
        ("help address",),
    ),
    Subject("username user_name nickname my_name name_is name_should", ("help name",)),
    Subject("cheat* rude insult* abus* harass* spam offensive threat*", ("help report", "help block")),
    Subject("privacy gdpr my_data personal_data", ("help data", "help account")),
    Subject("resign* give_up abort cancel* quit surrender", ("games", "help resign")),
    Subject(
        "hospital ill sick surgery funeral away holiday* vacation* travel* break pause urlaub verreist krank "
        "vacances vacaciones vacanza* vakantie urlop férias semester absent absence no_time busy",
        ("help vacation", "settings"),
        "“vacation” pauses all your clocks, for example: vacation 7d",
    ),
    Subject("time_zone timezone utc gmt", ("settings", "help zone")),
    Subject(
        "time_limit* deadline* clock* how_much_time how_long overdue late timeout out_of_time on_time "
        "time_runs per_move each_move every_move",
        ("games", "help time"),
    ),
    Subject(
        "at_night reminder* remind digest* notification* notify too_many_emails html plain_text image* "
        "picture* diagram* colour* color* font* dark blind screen_reader phone display* the_board weekend* "
        "on_saturdays on_sundays emails emailing",
        ("settings", "help email"),
    ),
    Subject("mistake* typo undo take_back wrong_move misclick*", ("games", "help takeback")),
    Subject("draw draws stalemate", ("help draw",)),
    Subject(
        "invite invitation* friend* wife husband brother sister son daughter colleague* rematch revenge frau "
        "mann freund* ehefrau ehemann femme mari ami amie mujer marido amigo amiga moglie marito amico amica",
        ("help challenge",),
    ),
    Subject("watch* spectat* follow observe", ("help watching", "lobby")),
    Subject(
        "rating* elo ranking* rank leaderboard best_player* won lost lose win winner score*",
        ("who", "ranking"),
    ),
    Subject("message* chat write_to tell talk_to contact", ("help messages",)),
    Subject(
        "rule* learn tutorial beginner explain understand how_to_play how_do_i_play", ("help playing", "help")
    ),
    Subject("my_game* which_game* last_game old_game* my_move* my_turn* opponent*", ("games", "help playing")),
)
"""The subjects, those that say most first."""


def subject_of(sentence: str) -> Subject | None:
    """Return the subject of a sentence; None if it mentions none, or is too long to be a question to Nabu."""
    if len(sentence) > _LONGEST:
        return None
    return next((subject for subject in SUBJECTS if subject.is_in(sentence)), None)
