"""Compiled code, kept for the next process and for nobody else's."""
