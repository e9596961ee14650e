int NAME() { return 0; }
