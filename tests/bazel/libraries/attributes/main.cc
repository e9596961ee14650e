#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "attributes/everything.h"

#include "geometry/shape.h"

#ifdef LOCAL
#error "local_defines reached a dependent"
#endif
#ifdef SEES_HIDDEN
#error "implementation_deps reached a dependent"
#endif

int registered = 0;

int main() {
  for (const char* variable : {"TABLE", "TEXT", "TOOL"}) {
    const char* name = std::getenv(variable);
    std::FILE* file = name ? std::fopen(name, "r") : nullptr;
    if (!file) {
      std::printf("%s: %s is missing\n", variable, name ? name : "the variable");
      return 1;
    }
    std::fclose(file);
  }
  if (std::strcmp(DEFINED, "two words") != 0) return 2;
  if (first_symbol() != 21 || second_symbol() != 21) return 3;
  if (everything() != 42) return 4;
  int sum = 0;
#define VALUE(value) sum += value;
#include "attributes/values.def"
  if (sum != 3 || kCorners != 4) return 5;
  return registered ? 0 : 6;
}
