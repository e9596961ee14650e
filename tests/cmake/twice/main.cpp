int scale_floats();
int scale_doubles();
int scale_ints();

int main() { return scale_floats() + scale_doubles() + scale_ints(); }
