struct Registrar {
  Registrar *next;
  void (*kernel)(int *);
  static Registrar *head;
  Registrar(void (*kernel)(int *)) : next(head), kernel(kernel) { head = this; }
};
template <class T> __global__ void registered_inline(T *p) { *p = T(4); }
inline Registrar of_header(registered_inline<int>);
