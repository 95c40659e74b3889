// task: entry-rr01-group-means
// does: sums by a table in shared memory and the last block divides: it looks after a fence, through the second-level cache, and the counter wraps to 0 by itself; too many groups take the old way

__device__ unsigned arrived;

__global__ void add_to_groups(const int* group, const float* x, float* mean, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(mean + group[i], x[i]);
  atomicAdd(count + group[i], 1);
}

__global__ void add_by_table(const int* group, const float* x, float* mean, int* count, int n, int groups) {
  extern __shared__ float sums[];
  __shared__ bool last;
  int* counts = reinterpret_cast<int*>(sums + groups);
  for (int g = threadIdx.x; g < groups; g += blockDim.x) {
    sums[g] = 0.0f;
    counts[g] = 0;
  }
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int g = group[i];
    atomicAdd(sums + g, x[i]);
    atomicAdd(counts + g, 1);
  }
  __syncthreads();
  for (int g = threadIdx.x; g < groups; g += blockDim.x) {
    if (counts[g] == 0) continue;
    atomicAdd(mean + g, sums[g]);
    atomicAdd(count + g, counts[g]);
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  for (int g = threadIdx.x; g < groups; g += blockDim.x) {
    int many = __ldcg(count + g);
    if (many > 0) mean[g] = __ldcg(mean + g) / many;
  }
}

__global__ void divide_groups(float* mean, const int* count, int groups) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g < groups && count[g] > 0) mean[g] /= count[g];
}

void group_means(const int* group, const float* x, float* mean, int* count, int n, int groups) {
  cudaMemsetAsync(mean, 0, groups * sizeof(float));
  cudaMemsetAsync(count, 0, groups * sizeof(int));
  int bytes = groups * 8;
  if (groups <= 5000) {
    add_by_table<<<min((n + 1023) / 1024, 132), 256, bytes>>>(group, x, mean, count, n, groups);
  } else {
    add_to_groups<<<(n + 255) / 256, 256>>>(group, x, mean, count, n);
    divide_groups<<<(groups + 255) / 256, 256>>>(mean, count, groups);
  }
}
