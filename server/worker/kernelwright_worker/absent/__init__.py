"""What stands for packages that this Python lacks."""
