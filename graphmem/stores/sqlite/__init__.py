"""The embedded store: one SQLite file, no server, several processes at once.

Import `SqliteStore` from `graphmem.stores.sqlite.store`.
"""
