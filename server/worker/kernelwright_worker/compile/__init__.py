"""Role build: nvcc, ptxas, what they say, and what they made, kept on disk."""
