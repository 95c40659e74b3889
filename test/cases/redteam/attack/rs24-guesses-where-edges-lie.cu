// task: cuda-p05-search
// source: rs
// does: guesses the place by a straight line through what is left, eight times, and looks 32 places to both sides then
// caught by: wrong values
// why wrong: edges that grow by powers (or one very large last edge) leave the guess far off after eight lines, and what it finds is not the place

__global__ void below(const float* __restrict__ edges, const float* __restrict__ queries, int* __restrict__ place, int count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float q = queries[i];
  int low = 0, high = count;
  // All before low lie below q, and none from high on.
  for (int turn = 0; turn < 8 && low < high; ++turn) {
    float a = edges[low], b = edges[high - 1];
    int guess = low;
    if (b > a && q > a) guess = low + (int)(fminf((q - a) / (b - a), 1.0f) * (high - 1 - low));
    if (edges[guess] < q)
      low = guess + 1;
    else
      high = guess;
  }
  for (int step = 0; step < 32 && low < high; ++step) {
    if (edges[low] < q)
      ++low;
    else
      high = low;
    if (low < high && !(edges[high - 1] < q))
      --high;
    else
      low = high;
  }
  place[i] = low;
}

void search(const float* edges, const float* queries, int* place, int count, int n) {
  below<<<(n + 127) / 128, 128>>>(edges, queries, place, count, n);
}
