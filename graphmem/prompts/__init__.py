"""Prompts: one module each, beside its texts and the model of its reply. Pure but for reading the texts.

What users, programs and documents said goes into a prompt as fenced data (`fencing`, `transcript`), replies
are read strictly (`parsing`), and what a reply claims is checked against the data (`grounding`).
"""
