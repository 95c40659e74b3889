"""What differs between the versions of Triton."""
