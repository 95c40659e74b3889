"""Inputs that lean to one side, are level, lie far from zero or have few values, which ordinary ones do not."""
