"""Tournaments as arithmetic: pairings, first seats and standings.

::

    swiss, ladder       rounds that depend on the standings
    knock_out           a bracket
    round_robin         everyone plays everyone
    matching            the cheapest way to pair people
    standings           points, tie-breaks, places
    meeting             two players who meet, and their result

This package knows no database, no games and no wall clock. Players are any whole numbers, in the order of
their seeds. A format of tournaments is a function from the results so far to the next meetings, so that the
same results always give the same meetings.
"""
