int value() { return 0; }
