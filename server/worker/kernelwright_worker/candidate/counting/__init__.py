"""What host code has a GPU do beside its kernels."""
