int host() { return 77; }
