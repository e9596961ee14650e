int simulate();

int main() { return simulate(); }
