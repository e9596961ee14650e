// The least that the compiler needs of <coroutine>.
namespace std {
template <class R, class... A> struct coroutine_traits {
  typedef typename R::promise_type promise_type;
};
template <class P = void> struct coroutine_handle {
  void *frame;
  static coroutine_handle from_address(void *frame) noexcept { return {frame}; }
};
inline void *pending;
struct suspend_always {
  bool await_ready() noexcept { return false; }
  template <class H> void await_suspend(H handle) noexcept { pending = handle.frame; }
  void await_resume() noexcept {}
};
} // namespace std
struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
extern "C" __global__ void before(int *p) { *p = 1; }
extern "C" __global__ void after(int *p) { *p = 2; }
extern "C" __global__ void at_end(int *p) { *p = 3; }
extern "C" __global__ void idle(int *p) { *p = 4; }
struct AtEnd {
  int *p;
  ~AtEnd() { at_end<<<1, 1>>>(p); }
};
Task steps(int *p) {
  AtEnd at_end{p};
  before<<<1, 1>>>(p);
  co_await std::suspend_always{};
  after<<<1, 1>>>(p);
}
void resume() { __builtin_coro_resume(std::pending); }
