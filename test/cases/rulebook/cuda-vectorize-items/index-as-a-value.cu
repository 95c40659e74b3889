//@case {"kernel": "vector_add"}
constexpr int kThreads = 80;
constexpr int kItems = 8;

__global__ void vector_add(const float* a, const float* b, float* out, int n) {
  int first = blockIdx.x * blockDim.x * kItems + threadIdx.x;
  for (int item = 0; item < kItems; ++item) {
    int i = first + item * blockDim.x;
    if (i < n) {
      out[i] = a[i] + i;  //@ instructions=90000 threadInstructions=2000000 globalLoadRequests=4096 globalLoadSectors=16384 globalLoadSectorsIdeal=16384 globalStoreRequests=2048 globalStoreSectors=8192 globalStoreSectorsIdeal=8192 globalBytesRequested=786432
    }
  }
}

void launch_vector_add(const float* a, const float* b, float* out, int n) {
  int perBlock = kThreads * kItems;
  dim3 grid((n + perBlock - 1) / perBlock);
  vector_add<<<grid, kThreads>>>(a, b, out, n);
}
