//@case {"kernel": "damp", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["swung", "still", "n"], "grid": ["(n + 255) / 256"], "block": ["256"]}}}}
__global__ void swing(const float* rest, float* swung, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) swung[i] = sinf(rest[i]);  //@ globalStoreRequests=600 globalStoreSectors=9000
}

__global__ void damp(const float* swung, float* still, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) still[i] = swung[i] * 0.5f;  //@ globalLoadRequests=600 globalLoadSectors=9000
}

void run(const float* rest, float* swung, float* still, int n) {
  swing<<<(n + 255) / 256, 256>>>(rest, swung, n);
  damp<<<(n + 255) / 256, 256>>>(swung, still, n);
}
