"""Role oracle: inputs from secret seeds, expected values and the comparison with them."""
