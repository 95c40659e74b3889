// task: entry-rs06-normals
// does: mixes the upper word of the counter once for the numbers before the carry and once for those behind, and writes pairs

__device__ unsigned mix(unsigned h) {
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  return h ^ h >> 16;
}

__global__ void normals(const unsigned* __restrict__ state, float2* __restrict__ y, int n) {
  __shared__ unsigned keys[2][2];
  unsigned start = state[1];
  // n is below 2^31, so that there is one carry at most.
  if (threadIdx.x < 4) keys[threadIdx.x / 2][threadIdx.x % 2] = mix(threadIdx.x / 2 ^ mix(state[0] + 0x9e3779b9u * (threadIdx.x % 2 + 1)));
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned low = start + i, carry = low < start;
    float u = (mix(low ^ keys[carry][0]) + 1.0f) * 2.3283064e-10f, v = mix(low ^ keys[carry][1]) * 2.3283064e-10f;
    float s, c, radius = sqrtf(-2.0f * logf(u));
    sincospif(2.0f * v, &s, &c);
    y[i] = make_float2(radius * c, radius * s);
  }
}

void random_normals(const unsigned* state, float* y, int n) {
  int blocks = (n + 127) / 128 < 1056 ? (n + 127) / 128 : 1056;
  normals<<<blocks, 128>>>(state, reinterpret_cast<float2*>(y), n);
}
