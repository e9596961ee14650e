struct State {
  int x;
  double y;
  char z[5];
};
__device__ State in_b(State s);
__device__ State in_c(State s);
__device__ State in_d(State s, State (*back)(State));
