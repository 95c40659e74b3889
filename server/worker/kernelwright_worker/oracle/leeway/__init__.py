"""What is held against no version: what rounding decides, and what the order of threads does."""
