// The mean of the numbers of each group, and how many they are. Groups come in any order; the mean of none is 0.
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

__global__ void divide_groups(float* mean, const int* count, int groups) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g < groups && count[g] > 0) mean[g] /= count[g];
}

void group_means(const int* group, const float* x, float* mean, int* count, int n, int groups) {
  clear_groups<<<(groups + 63) / 64, 64>>>(mean, count, groups);
  add_to_groups<<<(n + 63) / 64, 64>>>(group, x, mean, count, n);
  divide_groups<<<(groups + 63) / 64, 64>>>(mean, count, groups);
}
