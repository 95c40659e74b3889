//@case {"kernel": "walk", "launches": [{"kernel": "walk", "blocks": 8, "threadsPerBlock": 64, "times": 1}]}
__global__ void walk(float* x, float* y, const int* on, int n) {
  int i = threadIdx.x;
  for (int k = 0; k < n; ++k) {
    if (on[k]) x[k] = y[i];  //@ globalLoadRequests=400
    y[i + 64] = x[i] + k;  //@ globalLoadRequests=400 globalStoreRequests=400
  }
}
