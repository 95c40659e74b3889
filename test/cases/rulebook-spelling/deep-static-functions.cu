//@case {"kernel": "spread"}
template <int N>
class Together {
public:
  static __device__ float sum(float x, float* part) {
    part[threadIdx.x] = x;
    __syncthreads();
    for (int s = N / 2; s > 0; s >>= 1) {
      if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
      __syncthreads();
    }
    const float total = part[0];
    __syncthreads();
    return total;
  }
};

struct Bounds {
  static constexpr float most = 4.0f;
  static __device__ float under(float x) { return fminf(x, most); }
  static __device__ __forceinline__ float above(float x) { return fmaxf(x, 0.0f); }
};
using Limits = Bounds;

template <int N>
__global__ void spread(const float* x, float* y, int n) {
  using All = Together<N>;
  __shared__ float part[N];
  const float v = Limits::above(x[blockIdx.x * N + threadIdx.x]);
  const float mean = All::sum(v, part) / N;
  const float d = v - mean;
  const float square = All::sum(d * d, part) / N;
  y[blockIdx.x * N + threadIdx.x] = Bounds::under(d / sqrtf(square));
}
