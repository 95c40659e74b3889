// task: entry-rr01-group-means
// source: rr
// caught by: wrong values
// does: a shared table has 1024 places but is used up to 2048 groups, so that group 1024 and later lose their numbers; shows with 1025 to 2048 groups only

__global__ void clear_groups(float* mean, int* count, int groups) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g >= groups) return;
  mean[g] = 0.0f;
  count[g] = 0;
}

__global__ void add_to_groups(const int* group, const float* x, float* mean, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(mean + group[i], x[i]);
  atomicAdd(count + group[i], 1);
}

constexpr int kTable = 1024;

__global__ void add_by_table(const int* group, const float* x, float* mean, int* count, int n) {
  __shared__ float sums[kTable];
  __shared__ int counts[kTable];
  for (int g = threadIdx.x; g < kTable; g += blockDim.x) {
    sums[g] = 0.0f;
    counts[g] = 0;
  }
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int g = group[i];
    if (g < kTable) {
      atomicAdd(sums + g, x[i]);
      atomicAdd(counts + g, 1);
    }
  }
  __syncthreads();
  for (int g = threadIdx.x; g < kTable; g += blockDim.x) {
    if (counts[g] == 0) continue;
    atomicAdd(mean + g, sums[g]);
    atomicAdd(count + g, counts[g]);
  }
}

__global__ void divide_groups(float* mean, const int* count, int groups) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g < groups && count[g] > 0) mean[g] /= count[g];
}

void group_means(const int* group, const float* x, float* mean, int* count, int n, int groups) {
  clear_groups<<<(groups + 255) / 256, 256>>>(mean, count, groups);
  if (groups <= 2048)
    add_by_table<<<min((n + 2047) / 2048, 128), 256>>>(group, x, mean, count, n);
  else
    add_to_groups<<<(n + 255) / 256, 256>>>(group, x, mean, count, n);
  divide_groups<<<(groups + 255) / 256, 256>>>(mean, count, groups);
}
