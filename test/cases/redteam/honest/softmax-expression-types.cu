// task: cuda-softmax
// does: operators of a pair of maximum and sum are overloaded, rows are views with begin and end, one warp a row

struct Tally {
  float most = -INFINITY;
  float sum = 0.0f;
  __device__ Tally& operator+=(const Tally& other) {
    const float larger = fmaxf(most, other.most);
    if (larger == -INFINITY) return *this;
    sum = sum * expf(most - larger) + other.sum * expf(other.most - larger);
    most = larger;
    return *this;
  }
};

struct Striped {
  const float* data;
  int size;
  struct Place {
    const float* at;
    int left;
    __device__ float operator*() const { return *at; }
    __device__ Place& operator++() {
      at += 32;
      left -= 32;
      return *this;
    }
    __device__ bool operator!=(const Place&) const { return left > 0; }
  };
  __device__ Place begin() const { return {data + threadIdx.x % 32, size - (int)threadIdx.x % 32}; }
  __device__ Place end() const { return {nullptr, 0}; }
};

__global__ void softmax(const float* x, float* y, int rows, int columns) {
  const int row = blockIdx.x;
  if (threadIdx.x >= 32) return;
  Tally tally;
  for (const float value : Striped{x + row * columns, columns}) tally += Tally{value, 1.0f};
  for (int step = 16; step > 0; step /= 2)
    tally += Tally{__shfl_xor_sync(~0u, tally.most, step), __shfl_xor_sync(~0u, tally.sum, step)};
  for (int c = threadIdx.x; c < columns; c += 32) y[row * columns + c] = expf(x[row * columns + c] - tally.most) / tally.sum;
}

void launch_softmax(const float* x, float* y, int rows, int columns) { softmax<<<rows, 128>>>(x, y, rows, columns); }
