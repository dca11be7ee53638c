"""What a recurring motif is worth: tests of structure and outcome, effects with intervals, tiers.

Sources of the formulas: docs/explanation/patterns.md.
"""
