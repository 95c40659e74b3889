// Blocks of 1,024 threads with one element each, histograms of bytes, sums by loops over the whole grid.

extern "C" __global__ void single_naive(const float *in, float *out, int width) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < width && y < width) out[x * width + y] = in[y * width + x];
}

template <int pitch>
__device__ void single(const float *in, float *out, int width) {
  __shared__ float tile[32][pitch];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < width && y < width) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  if (x < width && y < width) out[y * width + x] = tile[threadIdx.x][threadIdx.y];
}

extern "C" __global__ void single_tiled(const float *in, float *out, int width) { single<32>(in, out, width); }
extern "C" __global__ void single_padded(const float *in, float *out, int width) { single<33>(in, out, width); }

// Counts of 256 values of a byte: in global memory, in each block's own bins, and those with 16 bytes a load.
extern "C" __global__ void bytes_global(const unsigned char *in, unsigned *bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1u);
}

__device__ void merge(unsigned *bins, const unsigned *mine) {
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (mine[i] > 0) atomicAdd(&bins[i], mine[i]);
}

extern "C" __global__ void bytes_private(const unsigned char *in, unsigned *bins, int n) {
  __shared__ unsigned mine[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[in[i]], 1u);
  merge(bins, mine);
}

extern "C" __global__ void bytes_wide(const uint4 *in, unsigned *bins, int n) {
  __shared__ unsigned mine[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 16; i += gridDim.x * blockDim.x) {
    uint4 words = in[i];
    unsigned four[4] = {words.x, words.y, words.z, words.w};
#pragma unroll
    for (int k = 0; k < 16; ++k) atomicAdd(&mine[four[k / 4] >> (k % 4 * 8) & 255u], 1u);
  }
  merge(bins, mine);
}

// Sums of integers: each thread strides over the grid, then the block adds up by shuffles.
__device__ int sum_of_block(int sum) {
  __shared__ int part[32];
  for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
  if (threadIdx.x < 32)
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
  return sum;
}

__device__ int of(int a) { return a; }
__device__ int of(int2 a) { return a.x + a.y; }
__device__ int of(int4 a) { return a.x + a.y + a.z + a.w; }

template <typename T>
__device__ void sum_by(const T *in, int *out, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += of(in[i]);
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

extern "C" __global__ void sum_1(const int *in, int *out, int n) { sum_by(in, out, n); }
extern "C" __global__ void sum_2(const int2 *in, int *out, int n) { sum_by(in, out, n); }
extern "C" __global__ void sum_4(const int4 *in, int *out, int n) { sum_by(in, out, n); }
