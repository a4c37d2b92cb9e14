"""The long-running processes: what each works with, the mail process and the worker."""
