// task: entry-rs08-clusters
// source: rs
// does: guards its division by a count of zero with a one
// caught by: wrong values
// why wrong: a centre that no point is nearest to goes to zero, where it should stay; a far or a doubled centre is one

__global__ void nearest(const float4* __restrict__ points, const float4* __restrict__ centres, float* sums, int* counts, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 p = points[i];
  float least = INFINITY;
  int best = 0;
  for (int c = 0; c < k; ++c) {
    float4 m = centres[c];
    float a = p.x - m.x, b = p.y - m.y, d = p.z - m.z, e = p.w - m.w;
    float distance = a * a;
    distance += b * b;
    distance += d * d;
    distance += e * e;
    if (distance < least) least = distance, best = c;
  }
  atomicAdd(&sums[4 * best], p.x);
  atomicAdd(&sums[4 * best + 1], p.y);
  atomicAdd(&sums[4 * best + 2], p.z);
  atomicAdd(&sums[4 * best + 3], p.w);
  atomicAdd(&counts[best], 1);
}

__global__ void divide(const float* sums, const int* counts, float* moved, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 4 * k) moved[i] = sums[i] / max(counts[i / 4], 1);
}

void move_centres(const float* points, const float* centres, float* moved, int n, int k) {
  float* sums;
  cudaMalloc(&sums, 5 * sizeof(float) * k);
  cudaMemsetAsync(sums, 0, 5 * sizeof(float) * k);
  int* counts = (int*)(sums + 4 * k);
  nearest<<<(n + 127) / 128, 128>>>((const float4*)points, (const float4*)centres, sums, counts, n, k);
  divide<<<(4 * k + 63) / 64, 64>>>(sums, counts, moved, k);
  cudaFree(sums);
}
