"""What all tests share: generated cases are the same on every machine, and no case is timed."""

import signal

from hypothesis import settings

settings.register_profile("abacist", deadline=None, derandomize=True, database=None)
settings.load_profile("abacist")

# A job in the background of a script is begun with Ctrl-C ignored, and would hand that on.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
