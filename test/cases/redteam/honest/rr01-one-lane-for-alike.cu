// task: entry-rr01-group-means
// does: lanes with the same group find each other by a vote, sum what they have and one of them adds it; only the order of the sums is another, and lanes beyond the end form a group that nobody adds

__global__ void add_to_groups(const int* group, const float* x, float* mean, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int g = i < n ? group[i] : -1;
  float v = i < n ? x[i] : 0.0f;
  unsigned peers = __match_any_sync(0xffffffffu, g);
  float sum = 0.0f;
  unsigned left = peers;
  while (__any_sync(0xffffffffu, left != 0)) {
    int from = left != 0 ? __ffs(left) - 1 : lane;
    float other = __shfl_sync(0xffffffffu, v, from);
    if (left != 0) {
      sum += other;
      left &= left - 1;
    }
  }
  if (g >= 0 && lane == __ffs(peers) - 1) {
    atomicAdd(mean + g, sum);
    atomicAdd(count + g, __popc(peers));
  }
}

__global__ void divide_groups(float* mean, const int* count, int groups) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g < groups && count[g] > 0) mean[g] /= count[g];
}

void group_means(const int* group, const float* x, float* mean, int* count, int n, int groups) {
  cudaMemsetAsync(mean, 0, groups * sizeof(float));
  cudaMemsetAsync(count, 0, groups * sizeof(int));
  add_to_groups<<<(n + 255) / 256, 256>>>(group, x, mean, count, n);
  divide_groups<<<(groups + 255) / 256, 256>>>(mean, count, groups);
}
