"""Role candidate: the one process that runs a candidate's Python."""
