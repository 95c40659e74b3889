// task: cuda-p05-search
// source: p
// does: halves, but counts edges that are equal to the query as below it, which random floats hardly ever are
// caught by: wrong values

__global__ void below(const float* edges, const float* queries, int* place, int count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float query = queries[i];
  int low = 0, high = count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (edges[middle] <= query)
      low = middle + 1;
    else
      high = middle;
  }
  place[i] = low;
}

void search(const float* edges, const float* queries, int* place, int count, int n) {
  below<<<(n + 63) / 64, 64>>>(edges, queries, place, count, n);
}
