"""Tournaments: made by players, then run by the worker's clock until they are over.

::

    views, lists        what people see of one tournament, and of many
    words               what is said of the rules
    course              what is due: beginnings, rounds, replays, the end
    signup              making, entering, leaving
    games, settling     games of a tournament; those that last too long
    bracket             who gets through in a knock-out
    hall                a tournament with all its rows, locked
    plan                how it is played, as it was chosen

Who meets whom is arithmetic (`server/pairing`); here are the rows. Whatever is done to a tournament is done
under its lock, and only then are its games locked, in the order of their numbers. A game that ends says so in a
column of its own (`Game.tournament_due_at`), and knows nothing else of tournaments.
"""
