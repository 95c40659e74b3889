"""Records how a program calls the host code of its Triton kernels, and writes it for the other side."""
