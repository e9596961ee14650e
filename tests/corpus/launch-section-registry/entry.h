struct Entry {
  const char *name;
  void (*kernel)(int *);
};
#define REGISTERED(symbol)                                                                         \
  static const Entry entry_of_##symbol                                                             \
      __attribute__((section("registry"), used)) = {#symbol, symbol}
