"""Certificates: statements without a bound on length, and what checks them.

`certificate` is what is proved, and its file; `checker` decides. Its arithmetic is in `floats` (bounds),
`forms` and `enclosures` (values of programs), and `steps` (of a network). The `prover` looks for certificates
(`search`) and for covers (`cover_search`); `machine` reads a counter machine off one.
"""
