//@case {"kernel": "lift"}
// The later kernel changes in place what the earlier one has changed in place.
__global__ void lift(float* level, const float* base, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) level[i] -= base[i]; //@ globalLoadSectors=512 globalStoreSectors=256 globalStoreRequests=256
}
__global__ void weigh(float* __restrict__ level, const float* weight, int count) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= count) return;
  level[k] = level[k] * weight[k]; //@ globalLoadSectors=512 globalStoreSectors=256
}
void run(float* level, const float* base, const float* weight, int n) {
  lift<<<(n + 255) / 256, 256>>>(level, base, n);
  weigh<<<(n + 255) / 256, 256>>>(level, weight, n);
}
