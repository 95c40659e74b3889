// For each query, how many of the ascending edges lie below it.
__global__ void below(const float* edges, const float* queries, int* place, int count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int found = 0;
  while (found < count && edges[found] < queries[i]) ++found;
  place[i] = found;
}

void search(const float* edges, const float* queries, int* place, int count, int n) {
  below<<<(n + 63) / 64, 64>>>(edges, queries, place, count, n);
}
