"""Inputs that lean to one side, or are level: few values, or ties, that ordinary ones do not have."""
