"""What is tried for the parameters of entries: values, tensors and the first numbers of sizes."""
