// task: cuda-scan
// does: a sweep up and a sweep down the tree

constexpr int kWidth = 256;

__global__ void scan(const int* x, int* y, int n) {
  __shared__ int tree[kWidth];
  const int t = threadIdx.x;
  int carry = 0;
  for (int base = 0; base < n; base += kWidth) {
    for (int half = 0; half < 2; ++half) {
      int place = t + half * (kWidth / 2);
      tree[place] = base + place < n ? x[base + place] : 0;
    }
    int offset = 1;
    for (int d = kWidth / 2; d > 0; d >>= 1, offset <<= 1) {
      __syncthreads();
      if (t < d) tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
    }
    __syncthreads();
    const int total = tree[kWidth - 1];
    __syncthreads();
    if (t == 0) tree[kWidth - 1] = 0;
    for (int d = 1; d < kWidth; d <<= 1) {
      offset >>= 1;
      __syncthreads();
      if (t < d) {
        int low = offset * (2 * t + 1) - 1, high = offset * (2 * t + 2) - 1;
        int kept = tree[low];
        tree[low] = tree[high];
        tree[high] += kept;
      }
    }
    __syncthreads();
    for (int half = 0; half < 2; ++half) {
      int place = t + half * (kWidth / 2);
      if (base + place < n) y[base + place] = carry + tree[place] + x[base + place];
    }
    carry += total;
    __syncthreads();
  }
}

void launch_scan(const int* x, int* y, int n) { scan<<<1, kWidth / 2>>>(x, y, n); }
