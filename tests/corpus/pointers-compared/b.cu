#include "f.h"
__device__ F of_b(int which) {
  return which == 0 ? plain : which == 1 ? in_header : in_template<int>;
}
