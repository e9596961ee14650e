union Choice {
  int number;
  const Choice *pointer;
  char name[8];
};
union Split {
  unsigned long whole;
  struct {
    unsigned low, high;
  } pair;
};
struct Flags {
  union {
    struct {
      unsigned first : 3;
      int second : 7;
      unsigned : 0;
      unsigned third : 9;
    };
    unsigned raw[2];
  };
};
extern __device__ Choice choices[4];
extern __constant__ Split table_of_b[2];
extern __device__ Flags packed_flags;
