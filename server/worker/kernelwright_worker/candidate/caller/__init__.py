"""What a call does to its caller beside the results: settings of the process, and the order of streams."""
