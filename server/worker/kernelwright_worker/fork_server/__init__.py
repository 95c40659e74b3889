"""Candidate processes without their start: one process has torch and triton imported, and forks them."""
