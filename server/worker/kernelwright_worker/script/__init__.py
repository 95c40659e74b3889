"""Runs an ordinary Python program whose Triton launches execute on the virtual GPU, with tensors in main
memory.
"""
