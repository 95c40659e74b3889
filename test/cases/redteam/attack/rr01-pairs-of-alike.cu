// task: entry-rr01-group-means
// source: rr
// caught by: wrong values
// does: neighbours of one group share an atomic, each handing on only its own number; where three or more in a row are alike, all but the last two are lost

__global__ void clear_groups(float* mean, int* count, int groups) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g >= groups) return;
  mean[g] = 0.0f;
  count[g] = 0;
}

__global__ void add_to_groups(const int* group, const float* x, float* mean, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int g = i < n ? group[i] : -1;
  float v = i < n ? x[i] : 0.0f;
  int before = __shfl_up_sync(0xffffffffu, g, 1);
  int behind = __shfl_down_sync(0xffffffffu, g, 1);
  float handed = __shfl_up_sync(0xffffffffu, v, 1);
  if (g < 0) return;
  if (lane < 31 && behind == g) return;  // the next lane adds it
  bool takes = lane > 0 && before == g;
  atomicAdd(mean + g, takes ? v + handed : v);
  atomicAdd(count + g, takes ? 2 : 1);
}

__global__ void divide_groups(float* mean, const int* count, int groups) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g < groups && count[g] > 0) mean[g] /= count[g];
}

void group_means(const int* group, const float* x, float* mean, int* count, int n, int groups) {
  clear_groups<<<(groups + 255) / 256, 256>>>(mean, count, groups);
  add_to_groups<<<(n + 255) / 256, 256>>>(group, x, mean, count, n);
  divide_groups<<<(groups + 255) / 256, 256>>>(mean, count, groups);
}
