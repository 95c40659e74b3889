// task: entry-distances
// does: tiles of 32 by 32 in shared memory, four sums a thread, with the absolute difference written in assembly

__device__ __forceinline__ void add_distance(float& sum, float a, float b) {
  asm("{\n .reg .f32 t;\n sub.rn.f32 t, %1, %2;\n abs.f32 t, t;\n add.rn.f32 %0, %0, t;\n}" : "+f"(sum) : "f"(a), "f"(b));
}

__global__ void distances(const float* a, const float* b, float* d, int n, int m, int k) {
  __shared__ float left[16][33], right[16][33];
  int t = threadIdx.y * 16 + threadIdx.x, i0 = blockIdx.y * 32, j0 = blockIdx.x * 32;
  float sums[2][2] = {};
  for (int first = 0; first < k; first += 16) {
    for (int p = t; p < 512; p += 256) {
      int q = p % 16, r = p / 16;
      bool deep = first + q < k;
      left[q][r] = deep && i0 + r < n ? a[(i0 + r) * k + first + q] : 0.0f;
      right[q][r] = deep && j0 + r < m ? b[(j0 + r) * k + first + q] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int q = 0; q < 16; ++q)
#pragma unroll
      for (int u = 0; u < 2; ++u)
#pragma unroll
        for (int v = 0; v < 2; ++v)
          add_distance(sums[u][v], left[q][threadIdx.y + 16 * u], right[q][threadIdx.x + 16 * v]);
    __syncthreads();
  }
#pragma unroll
  for (int u = 0; u < 2; ++u)
#pragma unroll
    for (int v = 0; v < 2; ++v) {
      int i = i0 + threadIdx.y + 16 * u, j = j0 + threadIdx.x + 16 * v;
      if (i < n && j < m) d[i * m + j] = sums[u][v];
    }
}

void distances_of(const float* a, const float* b, float* d, int n, int m, int k) {
  distances<<<dim3((m + 31) / 32, (n + 31) / 32), dim3(16, 16)>>>(a, b, d, n, m, k);
}
