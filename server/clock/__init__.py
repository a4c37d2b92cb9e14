"""The clock: how much time there is for a move, when it is up, and what follows. Pure functions of facts.

::

    words       the terms of a game in plain words
    reminders   when a player is reminded         vacations   commands and budget
    deadlines   the arithmetic                    outages     what the server gives back
    terms       the house options of a game
    controls    3d, 7d+1d/14d, daily 20:00        pauses      stretches in which time stands still
    spans       3d, 12h                           moments     dates, zones, daylight saving

Nothing here knows a database, a mail or the wall clock: `now` is handed in. These facts have to be stored, the
rest is derived from them:

- game: its terms as JSON; when its turn began; once all orders are in, when the turn is played (`resolves_at`).
- seat: bank; turns missed in a row; the player's zone when the turn began, so that nobody stretches a weekend
  by moving; gifts for the turn; when the player was last reminded.
- player: zone, choice of reminders, whether vacation is spent automatically.
- pause: start, end, `said_at`, why; whose it is: a player's vacation, one seat's mail, or everybody's outage.
- server: one heartbeat.

Derived, but stored in indexed columns, because what is due is found there: the seat's deadline, `grace_until`
and `next_reminder`, all empty for a seat that owes nothing. A tick is then, in this order:

1. Compare the heartbeat with now (`outage`, `was_far_ahead`), store the outage and the new heartbeat in one
   transaction, and recompute the seats that owe a move.
2. For seats whose `grace_until` is not later than now, and for which no mail waits that came in before that:
   lock the game and recompute. If time is up indeed, spend an hour of vacation (`automatic`) where the player
   chose so, else do what `Terms.overdue` says. Since nothing is done without recomputing, a crash between an
   outage and the seats that it concerns makes nobody lose.
3. Remind where `next_reminder` is not later than now.
4. Play the turns that waited out their delay.

When a pause or a gift is added, changed or taken back: write its row, build `Owed` anew from the rows for every
seat concerned that owes a move, and store what `deadline`, `grace_until` and `next_reminder` say, all in one
transaction. Adding makes a deadline later or leaves it; only taking back (`called_off`, mail that was delivered
after all) makes it earlier.

A move counts from when it was received, not from when it was handled: that moment goes to `bank_after`. Then
the next turn begins, now.
"""
