"""Tournaments as arithmetic: who meets whom, who has the first seat, and how everybody stands.

::

    swiss, ladder       rounds that depend on how everybody stands
    knock_out           a bracket
    round_robin         everyone against everyone
    matching            the cheapest way to pair people
    standings           points, tie-breaks, places
    meeting             two players who meet, and what came of it

Nothing here knows a database, a game or the wall clock. Players are any whole numbers, listed in the order of
their seeds. A form of tournament is a function from what has been played to the next meetings, so that the same
facts always give the same meetings, however often one asks.
"""
