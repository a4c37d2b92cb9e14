"""The clock: the time for a move, its deadline, and the consequences. Pure functions of facts.

::

    reminders   when a player is reminded         vacations   commands and budget
    terms       the options about time            pauses      vacations, outages and other stops
    controls    3d, 7d+1d/14d, daily 20:00        hours       6pm, half past six
    spans       3d, 12h                           dates       Dec 20 to Jan 3, until Friday
    moments     daylight saving                   zones       Europe/Berlin, New York, Germany
    periods     next week, the end of the month

    deadline_arithmetic   deadlines, time used, gifts
    terms_in_words        the terms of a game in plain words
    calendar_names        months, days of the week in 42 languages

This package knows no database, no email and no wall clock: `now` is an argument. The stored facts are:
starts of turns, banks, pauses, gifts, choices of players. Deadlines, and the moments around them, are derived
from these. They are stored as well, in indexed columns, where jobs find due games; but before a job acts
on one, it is recomputed from all facts. So no player loses because a fact comes late, or because of a
crash between a fact and the deadlines that it moves. `docs/architecture.md` describes the jobs.

A pause or a gift never makes a deadline earlier; only removing one does. A move counts from the moment at which
it was received, not handled: that moment goes to `bank_after`. The next turn begins when the move is handled.
An outage, or failing email, is a pause, like a vacation; `pauses` computes its length.
"""
