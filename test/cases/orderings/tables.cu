// Histograms of one value, convolutions and integer products, as tables of others have timed them.

extern "C" __global__ void counts_global(const unsigned *in, unsigned *bins, int n) {
  int first = blockIdx.x * blockDim.x + threadIdx.x, step = blockDim.x * gridDim.x;
  for (int i = first; i < n; i += step) atomicAdd(&bins[in[i]], 1u);
}

// Each block counts in bins of its own and adds all of them up, empty ones as well.
extern "C" __global__ void counts_of_blocks(const unsigned *in, unsigned *bins, int n, int most) {
  extern __shared__ unsigned mine[];
  for (int b = threadIdx.x; b < most; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  int first = blockIdx.x * blockDim.x + threadIdx.x, step = blockDim.x * gridDim.x;
  for (int i = first; i < n; i += step) atomicAdd(&mine[in[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < most; b += blockDim.x) atomicAdd(&bins[b], mine[b]);
}

// The bounds are doubles, as in the source.
__device__ float bounded(float x) { return (float)fmin(fmax((double)x, 0.0), 1.0); }

extern "C" __global__ void row_global(const float *in, const float *mask, float *out, int width, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, first = i - width / 2;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < width; ++k)
    if (first + k >= 0 && first + k < n) sum += in[first + k] * mask[k];
  out[i] = bounded(sum);
}

// A tile with what lies beside it in shared memory.
extern "C" __global__ void row_tiled(const float *in, const float *mask, float *out, int width, int n) {
  extern __shared__ float tile[];
  int t = threadIdx.x, size = blockDim.x, start = blockIdx.x * size, half = width / 2;
  if (t >= size - half) tile[t - (size - half)] = start - size + t < 0 ? 0.0f : in[start - size + t];
  tile[half + t] = in[start + t];
  if (t < half) tile[half + size + t] = start + size + t >= n ? 0.0f : in[start + size + t];
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < width; ++k) sum += tile[t + k] * mask[k];
  out[start + t] = bounded(sum);
}

// The tile alone; what lies beside it comes from global memory.
extern "C" __global__ void row_by_caches(const float *in, const float *mask, float *out, int width, int n) {
  extern __shared__ float tile[];
  int t = threadIdx.x, start = blockIdx.x * blockDim.x, end = start + blockDim.x;
  tile[t] = in[start + t];
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < width; ++k) {
    int at = start + t - width / 2 + k;
    if (at < 0 || at >= n) continue;
    sum += (at >= start && at < end ? tile[at - start] : in[at]) * mask[k];
  }
  out[start + t] = bounded(sum);
}

extern "C" __global__ void plane_global(const float *in, const float *mask, float *out, int size, int width) {
  int y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x, half = size / 2;
  if (x >= width || y >= width) return;
  float sum = 0.0f;
  for (int k = 0; k < size; ++k)
    for (int l = 0; l < size; ++l) {
      int row = y - half + k, column = x - half + l;
      if (row >= 0 && row < width && column >= 0 && column < width) sum += in[row * width + column] * mask[k * size + l];
    }
  out[y * width + x] = bounded(sum);
}

// A block loads as many values as it has threads; those at its sides write none.
extern "C" __global__ void plane_tiled(const float *in, const float *mask, float *out, int size, int width) {
  extern __shared__ float tile[];
  int inner = blockDim.x - size + 1, tx = threadIdx.x, ty = threadIdx.y;
  int y = blockIdx.y * inner + ty, x = blockIdx.x * inner + tx, row = y - size / 2, column = x - size / 2;
  bool isInside = row >= 0 && row < width && column >= 0 && column < width;
  tile[ty * blockDim.x + tx] = isInside ? in[row * width + column] : 0.0f;
  __syncthreads();
  if (ty >= inner || tx >= inner || y >= width || x >= width) return;
  float sum = 0.0f;
  for (int k = 0; k < size; ++k)
    for (int l = 0; l < size; ++l) sum += tile[(ty + k) * blockDim.x + tx + l] * mask[k * size + l];
  out[y * width + x] = bounded(sum);
}

// Tiles as wide as the block, whose size the compiler does not know.
extern "C" __global__ void product_tiles(const unsigned *a, const unsigned *b, unsigned *c, int n) {
  extern __shared__ unsigned both[];
  int size = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
  unsigned *left = both, *right = both + size * size;
  int row = blockIdx.y * size + ty, column = blockIdx.x * size + tx;
  unsigned sum = 0;
  for (int step = 0; step < (n + size - 1) / size; ++step) {
    int along = step * size + tx, down = step * size + ty;
    left[ty * size + tx] = row < n && along < n ? a[row * n + along] : 0;
    right[ty * size + tx] = down < n && column < n ? b[down * n + column] : 0;
    __syncthreads();
    for (int k = 0; k < size; ++k) sum += left[ty * size + k] * right[k * size + tx];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}
