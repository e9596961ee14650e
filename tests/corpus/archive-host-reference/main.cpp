void launch(int *p, int which);
int main() {
  int value = 0;
  launch(&value, 0);
  return value;
}
