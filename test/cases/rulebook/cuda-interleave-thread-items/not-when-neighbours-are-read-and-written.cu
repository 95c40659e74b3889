//@case {"kernel": "vector_add"}
constexpr int kThreads = 80;
constexpr int kItems = 8;

__global__ void vector_add(const float* a, const float* b, float* out, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * kItems;
  for (int item = 0; item < kItems; ++item) {
    int i = first + item;
    if (i < n) {
      out[i] = out[i - 1] + b[i];  //@ instructions=90000 threadInstructions=2000000 globalLoadRequests=4096 globalLoadSectors=131072 globalLoadSectorsIdeal=16384 globalStoreRequests=2048 globalStoreSectors=65536 globalStoreSectorsIdeal=8192 globalBytesRequested=786432
    }
  }
}

void launch_vector_add(const float* a, const float* b, float* out, int n) {
  int perBlock = kThreads * kItems;
  dim3 grid((n + perBlock - 1) / perBlock);
  vector_add<<<grid, kThreads>>>(a, b, out, n);
}
