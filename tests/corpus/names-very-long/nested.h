template <int N, class A, class B> struct a_class_with_a_name_that_is_longer_than_it_must_be {};
template <int N> struct Nest {
  typedef a_class_with_a_name_that_is_longer_than_it_must_be<-N, int, char[N]> Other;
  typedef a_class_with_a_name_that_is_longer_than_it_must_be<N, typename Nest<N - 1>::Type, Other>
      Type;
};
template <> struct Nest<0> {
  typedef int Type;
};
typedef Nest<120>::Type Deep;
template <class T> struct State {
  static __device__ int last;
};
template <class T> __device__ int State<T>::last = 6;
template <class T> __device__ __noinline__ int value(T) {
  static __device__ int uses = 4;
  return uses++;
}
__device__ int of_b(Deep deep);
