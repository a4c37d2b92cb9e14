"""Tournaments: made by players, then run by the worker's clock until they are over.

::

    views, lists            views of one tournament, and of many
    description             the rules of a tournament in words
    progress                what is due: start, rounds, replays, the end
    signup                  create, join, leave
    games, adjudication     games of a tournament; those that last too long
    knock_out_rounds        who advances in a knock-out
    seeding, byes, length   seeds, byes, and how long it will last
    rows                    a tournament loaded with its rows, locked
    plan                    the chosen form and options

Who meets whom is arithmetic (`server/pairing`); here are the rows. Whatever is done to a tournament is done
under its lock, and only then are its games locked, in the order of their numbers. A game that ends says so in a
column of its own (`Game.tournament_due_at`), and knows nothing else of tournaments.
"""
