// Host code from outside of the project, which launches a kernel of the project by the stub that
// clang makes for it.
void __device_stub__spare_kernel(int*);

int use_caller() {
  __device_stub__spare_kernel(nullptr);
  return 0;
}
