"""Abacist: a laboratory for small recurrent networks that count."""

__version__ = "0.1.0"
