"""Files in and out: import, export, copy, erasure and re-embedding, one module a format.

Import from the modules; this package re-exports nothing. Parsers and writers are pure; the workflows are
importing, exporting, copying, erasing and reembedding.
"""
