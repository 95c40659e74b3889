// task: cuda-p05-search
// does: a warp for a query looks at 32 edges at once and counts by a vote how many lie below, until at most 32 are left

__global__ void below(const float* edges, const float* queries, int* place, int count, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (i >= n) return;
  float query = queries[i];
  int low = 0, high = count;
  while (high - low > 32) {
    int step = (high - low) / 32;
    int less = __popc(__ballot_sync(~0u, edges[low + (lane + 1) * step - 1] < query));
    if (less < 32) high = low + (less + 1) * step - 1;
    low += less * step;
  }
  bool less = low + lane < high && edges[low + lane] < query;
  int found = low + __popc(__ballot_sync(~0u, less));
  if (lane == 0) place[i] = found;
}

void search(const float* edges, const float* queries, int* place, int count, int n) {
  below<<<(n + 3) / 4, 128>>>(edges, queries, place, count, n);
}
