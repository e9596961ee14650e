void launch_b(int *p);
extern void (*const start)(int *);
int main() {
  start(nullptr);
  launch_b(nullptr);
}
