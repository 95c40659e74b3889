"""Parameters that are made of several values: dictionaries, lists of tuples, lists of counts."""
