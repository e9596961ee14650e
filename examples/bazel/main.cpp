int tally();

int main() { return tally(); }
