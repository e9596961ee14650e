int scale_floats();

int main() { return scale_floats(); }
