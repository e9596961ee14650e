void launch(int *p);
int value();

int main() {
  int number = value();
  launch(&number);
  return 0;
}
