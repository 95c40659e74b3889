// task: cuda-mean
// source: verdicts 12
// does: waits for all blocks of an ordinary launch, more than fit
// caught by: deadlock

__device__ unsigned arrived;
__global__ void mean(const float* x, float* y, int rows, int columns) {
  __shared__ float pad[12000];
  int row = blockIdx.x, lane = threadIdx.x;
  float sum = 0.0f;
  for (int c = lane; c < columns; c += 32) sum += x[row * columns + c];
  for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  pad[lane] = sum;
  if (lane == 0) {
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) % gridDim.x != 0) {
    }
    y[row] = pad[0] / columns;
  }
}

void launch_mean(const float* x, float* y, int rows, int columns) { mean<<<rows, 32>>>(x, y, rows, columns); }
