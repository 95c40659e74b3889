// task: cuda-mean
// does: an abstract class on the device, whose object lies in shared memory

#include <new>

struct Summer {
  __device__ virtual void take(float value) = 0;
  __device__ virtual float sum() const = 0;
};

struct Compensated final : Summer {
  float total = 0.0f, lost = 0.0f;
  __device__ void take(float value) override {
    float next = __fadd_rn(value, -lost), bigger = __fadd_rn(total, next);
    lost = __fadd_rn(__fadd_rn(bigger, -total), -next);
    total = bigger;
  }
  __device__ float sum() const override { return total; }
};

__global__ void mean(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  __shared__ alignas(16) char room[32][sizeof(Compensated)];
  Summer* summer = new (room[threadIdx.x]) Compensated;
  for (int c = 0; c < columns; ++c) summer->take(x[row * columns + c]);
  y[row] = summer->sum() / columns;
}

void launch_mean(const float* x, float* y, int rows, int columns) { mean<<<(rows + 31) / 32, 32>>>(x, y, rows, columns); }
