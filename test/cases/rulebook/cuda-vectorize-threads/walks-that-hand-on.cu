//@case {"kernel": "twice"}
__global__ void twice(const float* x, float* t, float* y, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) t[i] = x[i] * 2.0f; //@ instructions=40000 globalLoadRequests=4096 globalStoreRequests=2048 globalBytesRequested=786432
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = t[i] + 1.0f; //@ instructions=40000 globalLoadRequests=4096 globalStoreRequests=2048 globalBytesRequested=786432
}
void run(const float* x, float* t, float* y, int n) { twice<<<1, 256>>>(x, t, y, n); }
