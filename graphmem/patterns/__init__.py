"""What recurs across episodes: graph motifs, how they are found, and what evidence they have.

Leaves out recall and prompting: a pattern is a finding about runs, not a memory of one.
"""
