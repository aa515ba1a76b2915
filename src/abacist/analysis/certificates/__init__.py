"""Certificates: statements without a bound on length, and what checks them."""
