void launch(int *p);
int main() {
  int value = 0;
  launch(&value);
  return value;
}
