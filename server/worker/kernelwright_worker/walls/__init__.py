"""What stands between untrusted code and this machine: limits, namespaces and a view of the disk."""
