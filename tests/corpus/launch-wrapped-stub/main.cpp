extern "C" void __real___device_stub__wrapped(int *);
extern "C" void __wrap___device_stub__wrapped(int *p) { __real___device_stub__wrapped(p); }
int main() { __wrap___device_stub__wrapped(nullptr); }
