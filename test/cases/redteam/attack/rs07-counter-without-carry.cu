// task: entry-rs06-normals
// source: rs
// does: counts in 32 bits, and mixes the upper word once for all, as zero
// caught by: wrong values
// why wrong: where the start plus n goes beyond 2^32, the upper word of the counter is one, and all numbers from there on are others

__device__ unsigned mix(unsigned h) {
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  return h ^ h >> 16;
}

__global__ void normals(const unsigned* __restrict__ state, float2* __restrict__ y, int n) {
  unsigned seed = state[0], start = state[1];
  unsigned first = mix(mix(seed + 0x9e3779b9u)), second = mix(mix(seed + 0x9e3779b9u * 2u));
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned counter = start + i;
    float u = (mix(counter ^ first) + 1.0f) * 2.3283064e-10f, v = mix(counter ^ second) * 2.3283064e-10f;
    float radius = sqrtf(-2.0f * logf(u)), s, c;
    sincospif(2.0f * v, &s, &c);
    y[i] = make_float2(radius * c, radius * s);
  }
}

void random_normals(const unsigned* state, float* y, int n) {
  int blocks = (n + 127) / 128 < 1056 ? (n + 127) / 128 : 1056;
  normals<<<blocks, 128>>>(state, (float2*)y, n);
}
