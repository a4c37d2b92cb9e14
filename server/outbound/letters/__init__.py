"""The mails that Nabu writes: what each shows, and text and HTML from one template."""
