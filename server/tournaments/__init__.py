"""Tournaments: created by players, then run by the worker's clock until they are over.

::

    views, lists            views of one tournament, and of many
    description             the rules of a tournament in words
    progress                due steps: start, rounds, replays, the end
    signup                  create, join, leave
    games, adjudication     games of a tournament; those that last too long
    knock_out_winners       the winners of knock-out matches
    seeding, byes, length   seeds, byes, and the expected length
    rows                    a tournament loaded with its rows, locked
    plan                    the chosen format and options

The pairing is arithmetic (`server/pairing`); this package has the rows. Every change to a tournament is made
under its lock; its games are locked only after that, in the order of their numbers. A game that ends only
sets its column `tournament_due_at`, and uses nothing else of tournaments.
"""
