int use_library();

int main() { return use_library(); }
