"""What the text of host code and of kernels says about what they take."""
