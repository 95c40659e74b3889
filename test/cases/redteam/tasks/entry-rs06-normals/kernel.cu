// Normal random numbers from a counter of 64 bits; `state` is the seed and where the counter starts.
__device__ unsigned mix(unsigned h) {
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  return h ^ h >> 16;
}

__device__ unsigned draw(unsigned seed, unsigned long long counter, unsigned which) {
  return mix((unsigned)counter ^ mix((unsigned)(counter >> 32) ^ mix(seed + 0x9e3779b9u * which)));
}

__global__ void normals(const unsigned* state, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long counter = (unsigned long long)state[1] + i;
  float u = (draw(state[0], counter, 1) + 1.0f) * 2.3283064e-10f, v = draw(state[0], counter, 2) * 2.3283064e-10f;
  float radius = sqrtf(-2.0f * logf(u));
  y[2 * i] = radius * cospif(2.0f * v);
  y[2 * i + 1] = radius * sinpif(2.0f * v);
}

void random_normals(const unsigned* state, float* y, int n) { normals<<<(n + 63) / 64, 64>>>(state, y, n); }
