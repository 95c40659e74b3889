// Metropolis sweeps of the 2-D Ising model on a checkerboard.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

#define L 64

__device__ unsigned hash(unsigned x)
{
  x ^= x >> 16; x *= 0x7feb352dU;
  x ^= x >> 15; x *= 0x846ca68bU;
  return x ^ (x >> 16);
}

__global__ void sweep(signed char *spin, int color, float beta, unsigned sweep_no)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (((x + y) & 1) != color) return;
  int sum = spin[y * L + (x + 1) % L] + spin[y * L + (x + L - 1) % L]
          + spin[(y + 1) % L * L + x] + spin[(y + L - 1) % L * L + x];
  int s = spin[y * L + x];
  float dE = 2.0f * s * sum;
  float r = hash(y * L + x + hash(sweep_no * 2 + color)) * (1.0f / 4294967296.0f);
  if (dE <= 0 || r < expf(-beta * dE)) spin[y * L + x] = -s;
}

__global__ void magnetise(const signed char *spin, int *total)
{
  int v = spin[blockIdx.x * blockDim.x + threadIdx.x];
  for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
  if ((threadIdx.x & 31) == 0) atomicAdd(total, v);
}

int main()
{
  std::vector<signed char> s(L * L, 1);
  signed char *d; int *m, total = 0;
  cudaMalloc(&d, L * L);
  cudaMalloc(&m, sizeof(int));
  cudaMemcpy(d, s.data(), L * L, cudaMemcpyHostToDevice);
  cudaMemset(m, 0, sizeof(int));
  dim3 b(16, 16), g(L / 16, L / 16);
  for (unsigned t = 0; t < 20; t++) {
    sweep<<<g, b>>>(d, 0, 0.6f, t);
    sweep<<<g, b>>>(d, 1, 0.6f, t);
  }
  magnetise<<<L * L / 256, 256>>>(d, m);
  cudaMemcpy(&total, m, sizeof(int), cudaMemcpyDeviceToHost);
  printf("magnetisation %.4f\n", total / (double)(L * L));
  return total > L * L / 2 ? 0 : 1;  // well below the critical temperature most spins stay up
}
