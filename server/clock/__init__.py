"""The clock: how much time there is for a move, when it is up, and what follows. Pure functions of facts.

::

    words       the terms of a game in plain words
    reminders   when a player is reminded         vacations   commands and budget
    deadlines   the arithmetic                    outages     what the server gives back
    terms       the house options of a game
    controls    3d, 7d+1d/14d, daily 20:00        pauses      stretches in which time stands still
    spans       3d, 12h                           dates       Dec 20 to Jan 3, until Friday
    periods     next week, the end of the month
    moments     daylight saving                   zones       Europe/Berlin, New York, Germany
    hours       6pm, half past six                calendar_names  months, days of the week in 42 languages

Nothing here knows a database, an email or the wall clock: `now` is handed in. What has to be stored are facts:
when a turn began, banks, pauses, gifts, what players chose. Deadlines, and the moments around them, are derived
from these. They are stored as well, in indexed columns, where what is due is found; but before anything is done
because of one, it is recomputed from all facts. So nobody loses because a fact comes late, or because of a
crash between a fact and the deadlines that it moves. `docs/architecture.md` says how this runs.

A pause or a gift makes a deadline later or leaves it; only taking one back makes it earlier. A move counts from
when it was received, not from when it was handled: that moment goes to `bank_after`. Then the next turn begins,
now. An outage, or mail that fails, is a pause, like a vacation; `outages` says how long it was.
"""
