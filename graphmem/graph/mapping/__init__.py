"""Models to records and back: pure, one module a kind.

Import from the modules; this package re-exports nothing, so that a reader sees where a mapping lives.
"""
