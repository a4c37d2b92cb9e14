"""The mails that Nabu writes: one function a letter, text and HTML from one template."""
