"""Experiences of an agent: kept whole, corrected later, found again by likeness."""
