"""How long a test waits for what is sure to come: only a test that hangs is ended by it."""

#: In seconds. No law depends on it, however busy the machine is.
HUNG = 1_200
