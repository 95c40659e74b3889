//@case {"kernel": "scale", "facts": {"sharedBytes": 33792}}
struct Tile { float v; };
template <int N>
__global__ void scale(const float* in, float* out, float by) {
  __shared__ float debug[N][64];
  __shared__ float row[N];
  unsigned t = threadIdx.x;
  row[t] = in[blockIdx.x * N + t];
  debug[t][0] = row[t];
  __syncthreads();
  out[blockIdx.x * N + t] = row[N - 1 - t] * by;
}
void run(const float* in, float* out, int n) { scale<128><<<n / 128, 128>>>(in, out, 2.0f); }
