//@case {"kernel": "heap"}
__global__ void heap(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float keys[15];
  for (int k = 0; k < 15; ++k) keys[k] = 0.0f;
  for (int k = 0; k < 64; ++k) {
    int at = 0;
    while (2 * at + 2 < 15) {
      int child = keys[2 * at + 1] < keys[2 * at + 2] ? 2 * at + 1 : 2 * at + 2;  //@ localRequests=81920
      keys[at] = keys[child];
      at = child;
    }
    keys[at] = x[k * n + i];
  }
  out[i] = keys[0];
}

void run(const float* x, float* out, int n) { heap<<<(n + 127) / 128, 128>>>(x, out, n); }
