// Structures with padding are made, copied, used and read back: nothing is wrong with that. One that was forgotten is.
#include <cstdio>

struct Mixed {
  char tag;
  double value;
  short key;
};

struct alignas(16) Point {
  float x, y, z;
};

struct Small {
  int number;
  char letter;
};

__global__ void make(Mixed *mixed, Point *points, Small *small, int count) {
  int i = threadIdx.x;
  if (i >= count) return;
  mixed[i].tag = i;
  mixed[i].value = 2.0 * i;
  mixed[i].key = i;
  points[i].x = i;
  points[i].y = 1;
  points[i].z = 2;
  small[i].number = i;
  small[i].letter = 'a';
}

__global__ void reverse(Mixed *mixed) {
  __shared__ Mixed tile[32];
  tile[threadIdx.x] = mixed[threadIdx.x];
  __syncthreads();
  mixed[threadIdx.x] = tile[31 - threadIdx.x];
}

__global__ void copy(const Point *from, Point *to, const Small *small, Small *other) {
  to[threadIdx.x] = from[threadIdx.x];
  other[threadIdx.x] = small[threadIdx.x];
}

__global__ void sum(const Point *points, float *sums) {
  Point point = points[threadIdx.x];
  sums[threadIdx.x] = point.x + point.y + point.z;
}

int main() {
  Mixed *mixed, hostMixed[32];
  Point *points, *morePoints, hostPoints[32];
  Small *small, *moreSmall, hostSmall[32];
  float *sums, hostSums[32];
  cudaMalloc(&mixed, sizeof hostMixed);
  cudaMalloc(&points, sizeof hostPoints);
  cudaMalloc(&morePoints, sizeof hostPoints);
  cudaMalloc(&small, sizeof hostSmall);
  cudaMalloc(&moreSmall, sizeof hostSmall);
  cudaMalloc(&sums, sizeof hostSums);
  make<<<1, 32>>>(mixed, points, small, 32);
  cudaMemcpy(hostMixed, mixed, sizeof hostMixed, cudaMemcpyDeviceToHost);
  cudaMemcpy(hostPoints, points, sizeof hostPoints, cudaMemcpyDeviceToHost);
  cudaMemcpy(hostSmall, small, sizeof hostSmall, cudaMemcpyDeviceToHost);
  reverse<<<1, 32>>>(mixed);
  copy<<<1, 32>>>(points, morePoints, small, moreSmall);
  sum<<<1, 32>>>(morePoints, sums);
  cudaMemcpy(hostSums, sums, sizeof hostSums, cudaMemcpyDeviceToHost);
  cudaMemcpy(hostMixed, mixed, sizeof hostMixed, cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", hostMixed[0].value, hostSums[31]);
  Small *forgotten;
  cudaMalloc(&forgotten, sizeof hostSmall);
  make<<<1, 32>>>(mixed, points, forgotten, 31);
  cudaMemcpy(hostSmall, forgotten, sizeof hostSmall, cudaMemcpyDeviceToHost);
  copy<<<1, 32>>>(points, morePoints, forgotten, moreSmall);
  cudaDeviceSynchronize();
  return 0;
}
