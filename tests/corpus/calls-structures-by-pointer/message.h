struct Message {
  double content[2];
  char tag;
};
struct Small {
  short value;
};
typedef Message (*Handler)(Message, Small);
typedef Small (*Measure)(const Message &);
__device__ Message second(Message message, Small small);
__device__ Small measure_in_c(const Message &message);
__device__ Handler choose(int x);
__device__ Measure choose_small(int x);
