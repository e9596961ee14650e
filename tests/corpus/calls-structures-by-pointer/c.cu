#include "message.h"
__device__ Message second(Message message, Small small) {
  message.tag = small.value;
  return message;
}
__device__ Small measure_in_c(const Message &message) { return {(short)message.tag}; }
