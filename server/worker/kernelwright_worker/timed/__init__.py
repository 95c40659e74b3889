"""Calls of a Triton kernel's Python entry that are timed on a GPU."""
