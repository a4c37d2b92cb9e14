"""A whole Nabu on one machine, with a postbox that shows every mail."""
