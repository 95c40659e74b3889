/*
 * sweep_centre: centre and number of a sweep's returns within a shell around the scanner.
 * Checks itself against the processor: ./sweep_centre [points]
 */
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 256

__global__ void shell_centre(const float* east, const float* north, const float* up, int points,
                             float nearest, float farthest, float4* sums)
{
  __shared__ float se[BLOCK], sn[BLOCK], su[BLOCK], seen[BLOCK];
  const int lane = threadIdx.x;
  const int at = blockIdx.x * BLOCK + lane;

  float e = 0, n = 0, u = 0, counts = 0;
  if (at < points) {
    const float range = sqrtf(east[at] * east[at] + north[at] * north[at] + up[at] * up[at]);
    if (range >= nearest && range <= farthest) { e = east[at]; n = north[at]; u = up[at]; counts = 1; }
  }
  se[lane] = e; sn[lane] = n; su[lane] = u; seen[lane] = counts;
  __syncthreads();

  if (lane == 0) {
    float4 all = make_float4(0, 0, 0, 0);
    for (int k = 0; k < BLOCK; ++k) {
      all.x += se[k];
      all.y += sn[k];
      all.z += su[k];
      all.w += seen[k];
    }
    sums[blockIdx.x] = all;
  }
}

int main(int argc, char** argv)
{
  const int points = argc > 1 ? atoi(argv[1]) : 500000;
  const int blocks = (points + BLOCK - 1) / BLOCK;
  const float nearest = 2.5f, farthest = 55.0f;
  float *host[3], *device[3];
  srand(7);
  for (int axis = 0; axis < 3; ++axis) {
    host[axis] = (float*)malloc(points * sizeof(float));
    for (int i = 0; i < points; ++i) host[axis][i] = 70.f * rand() / RAND_MAX - (axis == 2 ? 8.f : 35.f);
    cudaMalloc((void**)&device[axis], points * sizeof(float));
    cudaMemcpy(device[axis], host[axis], points * sizeof(float), cudaMemcpyHostToDevice);
  }
  float4 *sums, *parts = (float4*)malloc(blocks * sizeof(float4));
  cudaMalloc((void**)&sums, blocks * sizeof(float4));
  shell_centre<<<blocks, BLOCK>>>(device[0], device[1], device[2], points, nearest, farthest, sums);
  if (cudaMemcpy(parts, sums, blocks * sizeof(float4), cudaMemcpyDeviceToHost) != cudaSuccess) return 2;

  double found[4] = {0, 0, 0, 0}, wanted[4] = {0, 0, 0, 0};
  for (int b = 0; b < blocks; ++b) {
    found[0] += parts[b].x;
    found[1] += parts[b].y;
    found[2] += parts[b].z;
    found[3] += parts[b].w;
  }
  for (int i = 0; i < points; ++i) {
    const float e = host[0][i], n = host[1][i], u = host[2][i], range = sqrtf(e * e + n * n + u * u);
    if (range < nearest || range > farthest) continue;
    wanted[0] += e;
    wanted[1] += n;
    wanted[2] += u;
    wanted[3] += 1;
  }
  int bad = fabs(found[3] - wanted[3]) > 8;
  for (int axis = 0; axis < 3; ++axis) bad |= fabs(found[axis] / found[3] - wanted[axis] / wanted[3]) > 1e-3;
  printf("%.0f points in the shell: %s\n", wanted[3], bad ? "FAILED" : "PASSED");
  return bad;
}
