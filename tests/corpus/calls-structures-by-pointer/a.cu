#include "message.h"
extern "C" __global__ void use(int *p) {
  Message message = {{1.5, 2}, 'x'};
  Handler handler = choose(*p);
  message = handler(message, Small{(short)*p});
  Small small = choose_small(*p)(message);
  *p = message.tag + small.value;
}
void launch(int *p) { use<<<1, 1>>>(p); }
