"""Finds out by running how a Triton kernel's host code is called. Runs in the candidate's process."""
