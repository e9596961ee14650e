struct Record {
  char tag;
  double value;
  short pair[3];
  struct {
    unsigned low : 3, high : 7;
  } bits;
  union {
    char text[12];
    long number;
  } name;
};
