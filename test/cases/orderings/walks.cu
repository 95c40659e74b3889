// Ways through machine code that a simulation has to take as often as they were counted.

// A row by a block: every thread leaves before its loop or goes around it several times.
extern "C" __global__ void row_walk(const float *in, const float *row, float *out, int columns) {
  for (int i = threadIdx.x; i < columns; i += blockDim.x) out[blockIdx.x * columns + i] = in[blockIdx.x * columns + i] - row[blockIdx.x];
}

__device__ float long_way(float x, int rounds) {
  for (int k = 0; k < rounds; ++k) x = x * 1.0001f + 0.5f;
  return x;
}

// The lanes of each warp go two ways, or all of them one of two.
extern "C" __global__ void two_ways(const float *in, float *out, int rounds, int lanes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  if (i / lanes % 2 == 0) x = long_way(x, rounds);
  else x = long_way(x + 1.0f, rounds + 1) * 2.0f;
  out[i] = x;
}

__noinline__ __device__ float called_way(float x, int rounds) {
  for (int k = 0; k < rounds; ++k) x = x * 1.0001f + 0.5f;
  return x;
}

// Work in a function of its own, called from two places.
extern "C" __global__ void two_calls(const float *in, float *out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = called_way(called_way(in[i], rounds) * 0.25f, rounds);
}

// Words to the lanes' own lines, `apart` of them, or to neighbouring ones.
extern "C" __global__ void stores_apart(float *out, int apart) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 16; ++k) out[k * 65536 + (i % apart) * 1024 + i / apart] = i;
}
