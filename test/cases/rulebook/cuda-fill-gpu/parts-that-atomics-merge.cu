//@case {"kernel": "extent"}
__global__ void extent(const float2* points, size_t n, float least, int* keys) {
  float low = 1e30f, high = -1e30f;
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    float2 point = points[i];  //@ instructions=4096
    if (point.y < least) continue;
    low = fminf(low, point.x);
    high = fmaxf(high, point.x);
  }
  for (int far = 16; far; far >>= 1) {
    low = fminf(low, __shfl_xor_sync(0xffffffffu, low, far));
    high = fmaxf(high, __shfl_xor_sync(0xffffffffu, high, far));
  }
  if ((threadIdx.x & 31) == 0) {
    atomicMin(keys, __float_as_int(low));
    atomicMax(keys + 1, __float_as_int(high));
  }
}

const int kBlocks = 8;

void run(const float2* points, size_t n, float least, int* keys, cudaStream_t stream) {
  extent<<<kBlocks, 256, 0, stream>>>(points, n, least, keys);
}
