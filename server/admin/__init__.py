"""What administrators and moderators do, on pages and on the command line alike; all of it is written down."""
