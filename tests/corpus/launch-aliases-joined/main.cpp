extern "C" void launch_aliased(int *), launch_other(int *), launch_it(int *);
int main() {
  launch_aliased(nullptr);
  launch_other(nullptr);
  launch_it(nullptr);
}
