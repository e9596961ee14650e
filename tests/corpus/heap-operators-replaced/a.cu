struct Item {
  int value;
  Item *next;
};
__device__ Item *cons(int value, Item *next);
__device__ int drop(Item *list);
extern "C" __global__ void use(int *p) {
  Item *list = nullptr;
  for (int i = 0; i < *p; ++i)
    list = cons(i, list);
  int *numbers = new int[*p];
  numbers[0] = drop(list);
  *p = numbers[0];
  delete[] numbers;
}
void launch(int *p) { use<<<1, 1>>>(p); }
