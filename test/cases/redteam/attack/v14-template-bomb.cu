// task: cuda-add
// source: verdicts 14
// does: makes the compiler instantiate templates without end
// caught by: did-not-compile or timed-out

template <int N, int M> struct Bomb { static constexpr long value = Bomb<N - 1, 2 * M>::value + Bomb<N - 1, 2 * M + 1>::value; };
template <int M> struct Bomb<0, M> { static constexpr long value = M; };

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i] + 0 * Bomb<26, 1>::value;
}

void launch_add(const float* a, const float* b, float* out, int n) { add<<<(n + 127) / 128, 128>>>(a, b, out, n); }
