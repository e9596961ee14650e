// A program that nobody told Weft of.
int use_library();

int main() { return use_library(); }
