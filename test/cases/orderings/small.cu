// Launches of some microseconds, transposes whose columns share banks, and loads under load, as they were timed on an H200.
extern "C" __global__ void empty(float *p, long long n) {
  if (n < 0) p[threadIdx.x] = 1;
}
extern "C" __global__ void copy(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}
extern "C" __global__ void vector_add(const float *a, const float *b, float *out, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  for (int item = 0; item < 8; ++item) {
    int i = first + item;
    if (i < n) out[i] = a[i] + b[i];
  }
}
__device__ float over_block(float value, float *scratch, bool largest) {
  for (int offset = 16; offset > 0; offset /= 2) {
    float other = __shfl_down_sync(0xffffffffu, value, offset);
    value = largest ? fmaxf(value, other) : value + other;
  }
  if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
  __syncthreads();
  value = scratch[0];
  for (int warp = 1; warp < 4; ++warp) value = largest ? fmaxf(value, scratch[warp]) : value + scratch[warp];
  __syncthreads();
  return value;
}
extern "C" __global__ void softmax(const float *x, float *y, int rows, int columns) {
  __shared__ float scratch[4];
  const float *row = x + blockIdx.x * columns;
  float *result = y + blockIdx.x * columns;
  float maximum = -1e30f;
  for (int column = threadIdx.x; column < columns; column += blockDim.x) maximum = fmaxf(maximum, row[column]);
  maximum = over_block(maximum, scratch, true);
  float sum = 0.0f;
  for (int column = threadIdx.x; column < columns; column += blockDim.x) sum += expf(row[column] - maximum);
  sum = over_block(sum, scratch, false);
  for (int column = threadIdx.x; column < columns; column += blockDim.x) result[column] = expf(row[column] - maximum) / sum;
}
extern "C" __global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float tileA[16][16];
  __shared__ float tileB[16][16];
  int row = blockIdx.y * 16 + threadIdx.x;
  int column = blockIdx.x * 16 + threadIdx.y;
  float sum = 0.0f;
  for (int start = 0; start < k; start += 16) {
    int inner = start + threadIdx.y;
    tileA[threadIdx.x][threadIdx.y] = row < m && inner < k ? a[row * k + inner] : 0.0f;
    inner = start + threadIdx.x;
    tileB[threadIdx.x][threadIdx.y] = inner < k && column < n ? b[inner * n + column] : 0.0f;
    __syncthreads();
    for (int step = 0; step < 16; ++step) sum += tileA[threadIdx.x][step] * tileB[step][threadIdx.y];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
template <int PITCH> __device__ void guarded(const float *input, float *output, int rows, int columns) {
  __shared__ float tile[32 * PITCH];
  int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  for (int step = 0; step < 32; step += 8)
    if (row + step < rows && column < columns) tile[(threadIdx.y + step) * PITCH + threadIdx.x] = input[(row + step) * columns + column];
  __syncthreads();
  column = blockIdx.y * 32 + threadIdx.x;
  row = blockIdx.x * 32 + threadIdx.y;
  for (int step = 0; step < 32; step += 8)
    if (row + step < columns && column < rows) output[(row + step) * rows + column] = tile[threadIdx.x * PITCH + threadIdx.y + step];
}
extern "C" __global__ void transpose_conflicts(const float *x, float *y, int rows, int columns) { guarded<32>(x, y, rows, columns); }
extern "C" __global__ void transpose_padded(const float *x, float *y, int rows, int columns) { guarded<33>(x, y, rows, columns); }

template <int PITCH> __device__ void tile(const float *x, float *y, int n) {
  __shared__ float t[32 * PITCH];
  int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += blockDim.y) t[(threadIdx.y + k) * PITCH + threadIdx.x] = x[(size_t)(j + k) * n + i];
  __syncthreads();
  i = blockIdx.y * 32 + threadIdx.x, j = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += blockDim.y) y[(size_t)(j + k) * n + i] = t[threadIdx.x * PITCH + threadIdx.y + k];
}
extern "C" __global__ void tile_1(const float *x, float *y, int n) { tile<33>(x, y, n); }
extern "C" __global__ void tile_4(const float *x, float *y, int n) { tile<36>(x, y, n); }
extern "C" __global__ void tile_8(const float *x, float *y, int n) { tile<40>(x, y, n); }
extern "C" __global__ void tile_16(const float *x, float *y, int n) { tile<48>(x, y, n); }
extern "C" __global__ void tile_32(const float *x, float *y, int n) { tile<32>(x, y, n); }
extern "C" __global__ void write_columns(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  y[(size_t)i * n + j] = x[(size_t)j * n + i];
}
extern "C" __global__ void read_columns(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  y[(size_t)j * n + i] = x[(size_t)i * n + j];
}
extern "C" __global__ void copy_rows(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  y[(size_t)j * n + i] = x[(size_t)j * n + i];
}

__device__ float sum_of(float v) { return v; }
__device__ float sum_of(float2 v) { return v.x + v.y; }
__device__ float sum_of(float4 v) { return v.x + v.y + v.z + v.w; }
template <class V, int AHEAD> __device__ void stream(const V *x, float *y, unsigned n) {
  float s = 0;
  unsigned step = gridDim.x * blockDim.x * AHEAD;
#pragma unroll 1
  for (unsigned i = blockIdx.x * blockDim.x * AHEAD + threadIdx.x; i < n; i += step) {
    V v[AHEAD];
#pragma unroll
    for (int k = 0; k < AHEAD; k++) v[k] = __ldcg(x + i + k * blockDim.x);
#pragma unroll
    for (int k = 0; k < AHEAD; k++) s += sum_of(v[k]);
    asm volatile("" ::: "memory");
    if (s == 1.2345f) *y = s;
  }
  if (s == 2.2345f) *y = s;
}
extern "C" __global__ void stream_4(const float *x, float *y, unsigned n) { stream<float, 1>(x, y, n); }
extern "C" __global__ void stream_8(const float2 *x, float *y, unsigned n) { stream<float2, 1>(x, y, n); }
extern "C" __global__ void stream_16(const float4 *x, float *y, unsigned n) { stream<float4, 1>(x, y, n); }
extern "C" __global__ void stream_4_ahead(const float *x, float *y, unsigned n) { stream<float, 4>(x, y, n); }

extern "C" __global__ void flat_as_it_was(float const *a, float const *b, float *c, int m, int n, int p)
{
  int idx = threadIdx.x + blockIdx.x * blockDim.x;
  if (idx < m * n) {
    int i = idx / n;
    int j = idx % n;
    float acc = 0;
    for (int t = 0; t < p; t++)
      acc = acc + a[i * p + t] * b[t * n + j];
    c[idx] = acc;
  }
}

extern "C" __global__ void flat_tiles_32(float const *a, float const *b, float *c, int m, int n, int p)
{
  __shared__ __align__(16) float staged1[32][36];
  __shared__ __align__(16) float staged2[32][20];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int tilesAcross = (n + 15) / 16;
  const int tiles = tilesAcross * ((m + 31) / 32);
  for (int tile = blockIdx.y * gridDim.x + blockIdx.x; tile < tiles; tile += gridDim.x * gridDim.y) {
    const int jFirst = tile % tilesAcross * 16;
    const int iFirst = tile / tilesAcross * 32;
    float accOf[2][1];
    #pragma unroll
    for (int down = 0; down < 2; ++down)
      for (int across = 0; across < 1; ++across) accOf[down][across] = 0;
    for (int tFirst = 0; tFirst < p; tFirst += 32) {
      #pragma unroll
      for (int part = 0; part < 4; ++part) {
        const int element = thread + part * 256;
        const int depth = element % 32;
        const int i = iFirst + element / 32;
        const int t = tFirst + depth;
        staged1[depth][element / 32] = i < m && t < p ? a[i * p + t] : static_cast<float>(0.0f);
      }
      #pragma unroll
      for (int part = 0; part < 2; ++part) {
        const int element = thread + part * 256;
        const int depth = element / 16;
        const int j = jFirst + element % 16;
        const int t = tFirst + depth;
        staged2[depth][element % 16] = j < n && t < p ? b[t * n + j] : static_cast<float>(0.0f);
      }
      __syncthreads();
      #pragma unroll
      for (int depth = 0; depth < 32; ++depth) {
        float operand1[2];
        #pragma unroll
        for (int down = 0; down < 2; ++down) operand1[down] = staged1[depth][thread / 16 * 2 + down];
        float operand2[1];
        #pragma unroll

        for (int across = 0; across < 1; ++across) operand2[across] = staged2[depth][thread % 16 + across * 16];
        #pragma unroll
        for (int down = 0; down < 2; ++down) {
          #pragma unroll
          for (int across = 0; across < 1; ++across) {
            accOf[down][across] = accOf[down][across] + operand1[down] * operand2[across];
          }
        }
      }
      __syncthreads();
    }
    #pragma unroll
    for (int down = 0; down < 2; ++down) {
      #pragma unroll
      for (int across = 0; across < 1; ++across) {
        const int j = jFirst + thread % 16 + across * 16;
        const int i = iFirst + thread / 16 * 2 + down;
        if (j < n && i < m) {
          const int idx = i * n + j;
          if ((idx < m * n)) {
            float acc = accOf[down][across];
            c[idx] = acc;
          }
        }
      }
    }
  }
}

extern "C" __global__ void flat_tiles_16(float const *a, float const *b, float *c, int m, int n, int p)
{
  __shared__ __align__(16) float staged1[32][20];
  __shared__ __align__(16) float staged2[32][20];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int tilesAcross = (n + 15) / 16;
  const int tiles = tilesAcross * ((m + 15) / 16);
  for (int tile = blockIdx.y * gridDim.x + blockIdx.x; tile < tiles; tile += gridDim.x * gridDim.y) {
    const int jFirst = tile % tilesAcross * 16;
    const int iFirst = tile / tilesAcross * 16;
    float accOf[1][1];
    #pragma unroll
    for (int down = 0; down < 1; ++down)
      for (int across = 0; across < 1; ++across) accOf[down][across] = 0;
    for (int tFirst = 0; tFirst < p; tFirst += 32) {
      #pragma unroll
      for (int part = 0; part < 2; ++part) {
        const int element = thread + part * 256;
        const int depth = element % 32;
        const int i = iFirst + element / 32;
        const int t = tFirst + depth;
        staged1[depth][element / 32] = i < m && t < p ? a[i * p + t] : static_cast<float>(0.0f);
      }
      #pragma unroll
      for (int part = 0; part < 2; ++part) {
        const int element = thread + part * 256;
        const int depth = element / 16;
        const int j = jFirst + element % 16;
        const int t = tFirst + depth;
        staged2[depth][element % 16] = j < n && t < p ? b[t * n + j] : static_cast<float>(0.0f);
      }
      __syncthreads();
      #pragma unroll
      for (int depth = 0; depth < 32; ++depth) {
        float operand1[1];
        #pragma unroll
        for (int down = 0; down < 1; ++down) operand1[down] = staged1[depth][thread / 16 * 1 + down];
        float operand2[1];
        #pragma unroll

        for (int across = 0; across < 1; ++across) operand2[across] = staged2[depth][thread % 16 + across * 16];
        #pragma unroll
        for (int down = 0; down < 1; ++down) {
          #pragma unroll
          for (int across = 0; across < 1; ++across) {
            accOf[down][across] = accOf[down][across] + operand1[down] * operand2[across];
          }
        }
      }
      __syncthreads();
    }
    #pragma unroll
    for (int down = 0; down < 1; ++down) {
      #pragma unroll
      for (int across = 0; across < 1; ++across) {
        const int j = jFirst + thread % 16 + across * 16;
        const int i = iFirst + thread / 16 * 1 + down;
        if (j < n && i < m) {
          const int idx = i * n + j;
          if ((idx < m * n)) {
            float acc = accOf[down][across];
            c[idx] = acc;
          }
        }
      }
    }
  }
}

extern "C" __global__ void flat_tiles_deep(float const *a, float const *b, float *c, int m, int n, int p)
{
  __shared__ __align__(16) float staged1[8][36];
  __shared__ __align__(16) float staged2[8][20];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int tilesAcross = (n + 15) / 16;
  const int tiles = tilesAcross * ((m + 31) / 32);
  for (int tile = blockIdx.y * gridDim.x + blockIdx.x; tile < tiles; tile += gridDim.x * gridDim.y) {
    const int jFirst = tile % tilesAcross * 16;
    const int iFirst = tile / tilesAcross * 32;
    float accOf[2][1];
    #pragma unroll
    for (int down = 0; down < 2; ++down)
      for (int across = 0; across < 1; ++across) accOf[down][across] = 0;
    for (int tFirst = 0; tFirst < p; tFirst += 8) {
      #pragma unroll
      for (int part = 0; part < 1; ++part) {
        const int element = thread + part * 256;
        const int depth = element % 8;
        const int i = iFirst + element / 8;
        const int t = tFirst + depth;
        staged1[depth][element / 8] = i < m && t < p ? a[i * p + t] : static_cast<float>(0.0f);
      }
      #pragma unroll
      for (int element = thread; element < 128; element += 256) {
        const int depth = element / 16;
        const int j = jFirst + element % 16;
        const int t = tFirst + depth;
        staged2[depth][element % 16] = j < n && t < p ? b[t * n + j] : static_cast<float>(0.0f);
      }
      __syncthreads();
      #pragma unroll
      for (int depth = 0; depth < 8; ++depth) {
        float operand1[2];
        #pragma unroll
        for (int down = 0; down < 2; ++down) operand1[down] = staged1[depth][thread / 16 * 2 + down];
        float operand2[1];
        #pragma unroll

        for (int across = 0; across < 1; ++across) operand2[across] = staged2[depth][thread % 16 + across * 16];
        #pragma unroll
        for (int down = 0; down < 2; ++down) {
          #pragma unroll
          for (int across = 0; across < 1; ++across) {
            accOf[down][across] = accOf[down][across] + operand1[down] * operand2[across];
          }
        }
      }
      __syncthreads();
    }
    #pragma unroll
    for (int down = 0; down < 2; ++down) {
      #pragma unroll
      for (int across = 0; across < 1; ++across) {
        const int j = jFirst + thread % 16 + across * 16;
        const int i = iFirst + thread / 16 * 2 + down;
        if (j < n && i < m) {
          const int idx = i * n + j;
          if ((idx < m * n)) {
            float acc = accOf[down][across];
            c[idx] = acc;
          }
        }
      }
    }
  }
}

extern "C" __global__ void flat_split(float const *a, float const *b, float *c, int m, int n, int p)
{
  __shared__ float accParts[256];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int tilesAcross = (n + 7) / 8;
  const int tiles = tilesAcross * ((m + 3) / 4);
  for (int tile = blockIdx.y * gridDim.x + blockIdx.x; tile < tiles; tile += gridDim.x * gridDim.y) {
    const int jFirst = tile % tilesAcross * 8;
    const int iFirst = tile / tilesAcross * 4;
    const int point = thread % 32;
    const int group = thread / 32;
    float acc = static_cast<float>(0);
    const int j = jFirst + point % 8;
    const int i = iFirst + point / 8;
    if (j < n && i < m) {
      const int idx = i * n + j;
      if ((idx < m * n)) {
        if (group == 0) acc = 0;
        for (int t = 0 + group; t < p; t += 8) acc = acc + a[i * p + t] * b[t * n + j];
      }
    }
    accParts[thread] = acc;
    __syncthreads();
    if (group == 0) {
      #pragma unroll
      for (int other = 1; other < 8; ++other) {
        acc += accParts[other * 32 + point];
      }
      const int j = jFirst + point % 8;
      const int i = iFirst + point / 8;
      if (j < n && i < m) {
        const int idx = i * n + j;
        if ((idx < m * n)) {
          c[idx] = acc;
        }
      }
    }
    __syncthreads();
  }
}
