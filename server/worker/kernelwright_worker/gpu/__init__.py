"""Role gpu: what programs that are timed on a GPU need of its machine, besides the walls."""
