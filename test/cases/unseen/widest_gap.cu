// Least and greatest arrival of each batch of packets, and the lateness between them.
struct Window { int first, last, late; };

__device__ void widen(Window& w, const Window& other) {
  w.first = min(w.first, other.first);
  w.last = max(w.last, other.last);
  w.late += other.late;
}

__global__ void batch_windows(const int* arrivals, Window* windows, int deadline, int n) {
  __shared__ Window seen[256];
  Window own = {0x7fffffff, 0, 0};
  for (int k = 0; k < 2; ++k) {
    const int p = (blockIdx.x * 2 + k) * 256 + threadIdx.x;
    if (p >= n) continue;
    const Window one = {arrivals[p], arrivals[p], arrivals[p] > deadline};
    widen(own, one);
  }
  seen[threadIdx.x] = own;
  __syncthreads();
  if (threadIdx.x != 0) return;
  Window all = seen[0];
  for (int t = 1; t < 256; ++t) widen(all, seen[t]);
  windows[blockIdx.x] = all;
}

void gather_windows(const int* arrivals, Window* windows, int deadline, int n) {
  batch_windows<<<(n + 511) / 512, 256>>>(arrivals, windows, deadline, n);
}
