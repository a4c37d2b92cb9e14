"""The table of background jobs, which workers run (`server/processes/worker.py`).

Due rows are found by an index, locked, and read again before they are handled, so that everything happens once.
"""

from server.game.lobby import next_in_series, upkeep
from server.game.play import endings, moves
from server.game.preferences import digests
from server.game.ratings import results
from server.jobs import administrator_report, announcements, downtime, reminders, retention, spectators
from server.jobs.job import Job, RowJob
from server.store.models import Failure, Game, Player, Seat, Tournament
from server.store.rollback import history
from server.tournaments import progress

TIMEOUTS = RowJob(
    "deadline",
    Seat.grace_until,
    endings.handle_timeouts,
    downtime.late_games,
    downtime.make_up,
    ends_time=True,
)
UNMUTING = RowJob("unmuting", Seat.muted_until, digests.unmute_due)
DEFERRED_REPORTS = RowJob("deferred reports", Seat.deferred_until, digests.report_deferred)
DIGESTS = RowJob("digest", Player.digest_at, digests.mail_digest)
REMINDERS = RowJob("reminding", Seat.remind_at, reminders.remind, reminders.players_to_remind)
IDLE_GAMES = RowJob(
    "breaking off",
    Game.stale_at,
    endings.abort_idle,
    downtime.idle_games,
    downtime.make_up,
    ends_time=True,
)
TOURNAMENT_GAMES = RowJob("tournament", Game.tournament_due_at, progress.go_on, progress.with_ended_games)
TOURNAMENTS = RowJob("tournament", Tournament.due_at, progress.go_on, ends_time=True)
CREDITS = RowJob(downtime.CREDITING, Failure.due_at, downtime.credit, downtime.games_not_credited)
RESOLVING = RowJob("resolving", Game.resolve_at, moves.resolve_due)
COUNTING = RowJob("counting", Game.count_due_at, results.count)
SERIES = RowJob("series", Game.next_due_at, next_in_series.go_on)
REOPENING = RowJob("reopening", Game.offer_due_at, upkeep.reopen)
WATCHERS = RowJob("watchers", Game.news_at, spectators.report_news)
FREEING = RowJob("lobby", None, upkeep.free, upkeep.with_players_who_cannot_play)
FORGETTING = RowJob("lobby", None, upkeep.forget, upkeep.forgotten)
FILLING = RowJob("lobby", None, upkeep.fill, upkeep.to_fill)

CLOCK = Job(
    "clock",
    1,
    downtime.beat_and_credit,
    (
        TIMEOUTS,
        UNMUTING,
        DEFERRED_REPORTS,
        DIGESTS,
        REMINDERS,
        IDLE_GAMES,
        TOURNAMENT_GAMES,
        TOURNAMENTS,
        CREDITS,
    ),
    waits=downtime.mail_is_down,
    between=downtime.keep_beating,
)
RESOLVER = Job("resolving", 1, rows=(RESOLVING,), wakes=True)
COUNTER = Job("counting", 1, rows=(COUNTING,))
STARTER = Job("series", 1, rows=(SERIES, REOPENING))
NEWS = Job("watchers", 1, spectators.pass_over, (WATCHERS,))
LOBBY = Job("lobby", 60, rows=(FREEING, FORGETTING, FILLING), most=100)
ANNOUNCEMENTS = Job("announcing", 30, announcements.mail_some)
HISTORY = Job("history", 60, lambda work: history.split(work.engine))
HOUSEKEEPING = Job("housekeeping", 3600, retention.delete_old_data)
ADMINISTRATOR_REPORT = Job("trouble", 3600, administrator_report.mail_administrator)

JOBS = (
    CLOCK,
    RESOLVER,
    COUNTER,
    STARTER,
    NEWS,
    LOBBY,
    ANNOUNCEMENTS,
    HISTORY,
    HOUSEKEEPING,
    ADMINISTRATOR_REPORT,
)
