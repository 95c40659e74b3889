// Adds two vectors. Known inefficiency: each thread owns eight consecutive elements, so the 32 lanes of a warp touch addresses that
// lie 32 bytes apart and every request moves eight times the sectors it needs; and a block of 80 threads wastes half of its last warp.

constexpr int kThreads = 80;
constexpr int kItems = 8;

__global__ void vector_add(const float* a, const float* b, float* out, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * kItems;
  for (int item = 0; item < kItems; ++item) {
    int i = first + item;
    if (i < n) {
      out[i] = a[i] + b[i];
    }
  }
}

void launch_vector_add(const float* a, const float* b, float* out, int n) {
  int perBlock = kThreads * kItems;
  dim3 grid((n + perBlock - 1) / perBlock);
  vector_add<<<grid, kThreads>>>(a, b, out, n);
}
