// task: cuda-rms
// source: rs
// does: has the warps wait for each other's sums by sleeping two microseconds in place of a barrier
// caught by: uninitialized-read or shared-race or wrong values
// why wrong: nothing orders the sums of the warps; one that was held up longer has not written its own yet

__global__ void rms(const float* __restrict__ x, float* __restrict__ y, int rows, int columns) {
  __shared__ volatile float part[4];
  const float* row = x + (size_t)blockIdx.x * columns;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 128) squares += row[c] * row[c];
  for (int step = 16; step; step /= 2) squares += __shfl_xor_sync(~0u, squares, step);
  if (lane == 0) part[warp] = squares;
  __threadfence_block();
#if __CUDA_ARCH__ >= 700
  __nanosleep(2000);
#endif
  float scale = rsqrtf((part[0] + part[1] + part[2] + part[3]) / columns + 1e-6f);
  for (int c = threadIdx.x; c < columns; c += 128) y[(size_t)blockIdx.x * columns + c] = row[c] * scale;
}

void launch_rms(const float* x, float* y, int rows, int columns) { rms<<<rows, 128>>>(x, y, rows, columns); }
