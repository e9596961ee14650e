void launch();

// The function that the compiler makes of the kernel for host code.
void __device_stub__launched_elsewhere(int*);

int main() {
  launch();
  __device_stub__launched_elsewhere(nullptr);
}
