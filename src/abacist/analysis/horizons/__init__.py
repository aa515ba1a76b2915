"""The counting horizon: how far a network is proved to count, and the word on which it stops.

`prover` has the proof that all words up to a length are right, `refuter` the search for a wrong one;
`bracket` calls both. Both are an `exploration` of a language's `configurations`, length by length, whose
next layer is made by the compiled code of `next_layers`.
"""
