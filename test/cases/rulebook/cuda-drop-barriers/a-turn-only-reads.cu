//@case {"kernel": "nearest", "launches": []}
struct Site { float x, y; };

__device__ float apart(const Site& a, float x, float y) { return (a.x - x) * (a.x - x) + (a.y - y) * (a.y - y); }

__global__ void nearest(const Site* sites, const float* xs, const float* ys, float* least, int count, int n) {
  __shared__ Site near[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  float best = 1e30f;
  for (int base = 0; base < count; base += 64) {
    if (base + threadIdx.x < count) near[threadIdx.x] = sites[base + threadIdx.x];
    __syncthreads();  //@ barriers=8
    for (int s = 0; s < min(64, count - base); s++) {
      best = fminf(best, apart(near[s], xs[i], ys[i]));
      __syncthreads();  //@ barriers=512
    }
    __syncthreads();  //@ barriers=8
  }
  if (i < n) least[i] = best;
}

void run(const Site* s, const float* x, const float* y, float* d, int c, int n) { nearest<<<(n + 63) / 64, 64>>>(s, x, y, d, c, n); }
