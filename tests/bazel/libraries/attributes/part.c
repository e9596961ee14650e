/* This is no C++. */
int part(void) {
  int class = 21;
  return class;
}
