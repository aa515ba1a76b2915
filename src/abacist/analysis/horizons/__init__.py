"""The counting horizon: how far a network is proved to count, and the word on which it stops.

`bracket` has both ends and the prover, `refuter` the search for wrong words, both by an `exploration` of
`configurations`, whose layers are made in `next_layers`.
"""
