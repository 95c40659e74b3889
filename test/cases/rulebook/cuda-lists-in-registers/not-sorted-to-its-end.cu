//@case {"kernel": "one_pass"}
__global__ void one_pass(const int* in, int* out, const int* last, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v[6];
  for (int k = 0; k < 6; k++) v[k] = in[k * n + i];
  for (int end = 5; end > last[i]; --end)
    for (int k = 0; k < end; ++k)
      if (v[k] > v[k + 1]) {
        int held = v[k];
        v[k] = v[k + 1];
        v[k + 1] = held;  //@ localRequests=81920
      }
  out[i] = v[5];
}

void run(const int* in, int* out, const int* last, int n) {
  one_pass<<<(n + 127) / 128, 128>>>(in, out, last, n);
}
