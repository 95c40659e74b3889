// task: entry-sum
// does: an allocator of its own, which hands out parts of one piece of memory

class Arena {
 public:
  ~Arena() { cudaFree(base_); }
  template <class T> T* get(size_t count) {
    if (base_ == nullptr) cudaMalloc(&base_, bytes_);
    size_t at = (used_ + 255) / 256 * 256;
    used_ = at + count * sizeof(T);
    return used_ <= bytes_ ? reinterpret_cast<T*>(base_ + at) : nullptr;
  }
  void clear() { used_ = 0; }

 private:
  char* base_ = nullptr;
  size_t bytes_ = 1 << 20;
  size_t used_ = 0;
};

__global__ void partial(const float* x, float* sums, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void rest(const float* sums, float* total, int blocks) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < blocks; i += 32) sum += sums[i];
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x == 0) *total = sum;
}

void sum_of(const float* x, float* total, int n) {
  static Arena* arena = new Arena;
  arena->clear();
  float* sums = arena->get<float>(64);
  partial<<<64, 32>>>(x, sums, n);
  rest<<<1, 32>>>(sums, total, 64);
}
