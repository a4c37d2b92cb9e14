"""Actions of administrators and moderators, on pages and on the command line; all are logged."""
