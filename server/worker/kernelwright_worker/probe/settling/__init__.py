"""What is made better of a call that runs: smaller tensors, sizes apart from each other."""
