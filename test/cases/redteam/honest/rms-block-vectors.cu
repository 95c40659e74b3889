// task: cuda-rms
// does: a block for a row, four columns at a time where rows are aligned, and atomics in shared memory

__global__ void rms(const float* x, float* y, int rows, int columns) {
  __shared__ float total;
  if (threadIdx.x == 0) total = 0.0f;
  __syncthreads();
  const float* in = x + blockIdx.x * columns;
  float* out = y + blockIdx.x * columns;
  const bool wide = columns % 4 == 0;
  float squares = 0.0f;
  if (wide) {
    for (int c = threadIdx.x; c < columns / 4; c += blockDim.x) {
      float4 v = reinterpret_cast<const float4*>(in)[c];
      squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
  } else {
    for (int c = threadIdx.x; c < columns; c += blockDim.x) squares += in[c] * in[c];
  }
  for (int step = 16; step > 0; step /= 2) squares += __shfl_down_sync(~0u, squares, step);
  if (threadIdx.x % 32 == 0) atomicAdd(&total, squares);
  __syncthreads();
  const float scale = 1.0f / sqrtf(total / columns + 1e-6f);
  if (wide) {
    for (int c = threadIdx.x; c < columns / 4; c += blockDim.x) {
      float4 v = reinterpret_cast<const float4*>(in)[c];
      reinterpret_cast<float4*>(out)[c] = make_float4(v.x * scale, v.y * scale, v.z * scale, v.w * scale);
    }
  } else {
    for (int c = threadIdx.x; c < columns; c += blockDim.x) out[c] = in[c] * scale;
  }
}

void launch_rms(const float* x, float* y, int rows, int columns) { rms<<<rows, 64>>>(x, y, rows, columns); }
