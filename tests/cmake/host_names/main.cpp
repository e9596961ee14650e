extern "C" void launch(int *);
int main() { launch(nullptr); }
