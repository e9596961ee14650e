struct Item {
  int value;
  Item *next;
};
__device__ Item *cons(int value, Item *next) { return new Item{value, next}; }
__device__ int drop(Item *list) {
  int sum = 0;
  while (list) {
    Item *next = list->next;
    sum += list->value;
    delete list;
    list = next;
  }
  return sum;
}
