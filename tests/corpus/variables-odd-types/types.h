typedef float Three __attribute__((ext_vector_type(3)));
enum class Color : char { red = 3, green = 7 };
struct Empty {};
extern "C" {
extern __device__ __int128 wide;
extern __device__ bool flags[5];
extern __device__ Three three;
extern __device__ Color color;
extern __device__ Empty nothing;
}
