//@case {"kernel": "decay"}
inline unsigned blocks_for(long n, int each) { return (n + each - 1) / each; }

template <int kThreads = 256, class Kernel, class... Args>
static cudaError_t launch_over(Kernel kernel, long count, cudaStream_t stream, Args&&... args) {
  if (count == 0) return cudaSuccess;
  kernel<<<blocks_for(count, kThreads), kThreads, 0, stream>>>(std::forward<Args>(args)...);
  return cudaGetLastError();
}

template <int kThreads, class F, class... Args>
void each_of(F f, size_t n, Args... args) {
  if (n == 0) return;
  dim3 grid((n + kThreads - 1) / kThreads);
  f<<<grid, kThreads>>>(args...);
}

void with_pointer(void (*kernel)(float* values, float rate, int n), float* values, float rate, int n, int threads = 64) {
  int blocks = (n + threads - 1) / threads;
  kernel<<<blocks, threads>>>(values, rate, n);
}

namespace detail {
template <typename F, typename... A>
void plain(dim3 grid, dim3 block, F f, A... a) { f<<<grid, block>>>(a...); }
}

template <typename F>
void counted(F f, float* values, int n) {
#pragma unroll
  for (int part = 0; part < 4; ++part) f<<<1, 32>>>(values + part, 0.5f, n / 4);
}

template <typename F, typename T>
void deduced(F f, T* values, int n) { f<<<n * sizeof(T) / 128, 32>>>(values, T(1), n); }

__global__ void decay(float* values, float rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= rate;
}

cudaError_t run(float* values, float rate, int n, cudaStream_t stream) {
  const int blocks = 7;
  each_of<128>(decay, (size_t)n, values, rate, n);
  with_pointer(&decay, values, rate, blocks);
  with_pointer(decay, values, rate * 2, n, 32);
  detail::plain(dim3(n / 32 + 1), 32, decay, values, rate, n);
  deduced(decay, values, n);
  counted(decay, values, n);
  launch_over(decay, n, stream, values, rate, n);
  return launch_over<512>(decay, n, stream, values, rate, n);
}
