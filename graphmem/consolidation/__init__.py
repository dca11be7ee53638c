"""Turns experience into a network: links episodes to concepts, planned first and applied afterwards."""
