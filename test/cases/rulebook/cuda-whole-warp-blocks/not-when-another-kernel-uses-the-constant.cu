//@case {"kernel": "vector_add"}
constexpr int kThreads = 80;
constexpr int kItems = 8;

__global__ void vector_add(const float* a, const float* b, float* out, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * kItems;
  for (int item = 0; item < kItems; ++item) {
    int i = first + item;
    if (i < n) {
      out[i] = a[i] + b[i];  //@ instructions=30000 threadInstructions=800000
    }
  }
}

void launch_vector_add(const float* a, const float* b, float* out, int n) {
  int perBlock = kThreads * kItems;
  dim3 grid((n + perBlock - 1) / perBlock);
  vector_add<<<grid, kThreads>>>(a, b, out, n);
}

__global__ void other(float* out) {
  out[threadIdx.x] = 0.0f;
}

void launch_other(float* out) {
  other<<<1, kThreads>>>(out);
}
