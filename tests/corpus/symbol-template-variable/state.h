template <class T> __device__ T level = T(3);
template <class T> struct State {
  static __device__ T current;
};
template <class T> __device__ T State<T>::current = T(1);
