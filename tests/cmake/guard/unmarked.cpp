// A program that is not marked.
int use_library();

int main() { return use_library(); }
