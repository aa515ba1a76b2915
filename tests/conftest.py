"""What all tests share: generated cases are the same on every machine, and no case is timed."""

from hypothesis import settings

settings.register_profile("abacist", deadline=None, derandomize=True, database=None)
settings.load_profile("abacist")
