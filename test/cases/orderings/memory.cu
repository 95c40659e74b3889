// Copies, transposes, strides, layouts.

extern "C" __global__ void copy_1(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

extern "C" __global__ void copy_2(const float2 *in, float2 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

extern "C" __global__ void copy_4(const float4 *in, float4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

// One element in `stride` is read and written.
extern "C" __global__ void copy_strided(const float *in, float *out, int stride, int n) {
  long i = (long)(blockIdx.x * blockDim.x + threadIdx.x) * stride;
  if (i < n) out[i] = in[i];
}

extern "C" __global__ void transpose_copy(const float *in, float *out, int width) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * width + x] = in[(y + j) * width + x];
}

extern "C" __global__ void copy_one(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

extern "C" __global__ void transpose_one(const float *in, float *out, int width) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < width && y < width) out[x * width + y] = in[y * width + x];
}

extern "C" __global__ void transpose_naive(const float *in, float *out, int width) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[x * width + y + j] = in[(y + j) * width + x];
}

extern "C" __global__ void transpose_tiled(const float *in, float *out, int width) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void transpose_padded(const float *in, float *out, int width) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}

// A particle of eight fields of which two are needed: an array of structures, and one array for each field.
struct Particle {
  float x, y, z, mass, vx, vy, vz, charge;
};

extern "C" __global__ void energy_structures(const Particle *particles, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 0.5f * particles[i].mass * particles[i].vx * particles[i].vx;
}

extern "C" __global__ void energy_arrays(const float *mass, const float *vx, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 0.5f * mass[i] * vx[i] * vx[i];
}

// C = A B with A of m by 32 and B of 32 by n: the best practices guide's first example.
extern "C" __global__ void thin_product(const float *a, const float *b, float *c, int n) {
  int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0.0f;
  for (int i = 0; i < 32; ++i) sum += a[row * 32 + i] * b[i * n + column];
  c[row * n + column] = sum;
}

extern "C" __global__ void thin_product_left(const float *a, const float *b, float *c, int n) {
  __shared__ float left[32][32];
  int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  left[threadIdx.y][threadIdx.x] = a[row * 32 + threadIdx.x];
  __syncwarp();
  float sum = 0.0f;
  for (int i = 0; i < 32; ++i) sum += left[threadIdx.y][i] * b[i * n + column];
  c[row * n + column] = sum;
}

extern "C" __global__ void thin_product_both(const float *a, const float *b, float *c, int n) {
  __shared__ float left[32][32], right[32][32];
  int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  left[threadIdx.y][threadIdx.x] = a[row * 32 + threadIdx.x];
  right[threadIdx.y][threadIdx.x] = b[threadIdx.y * n + column];
  __syncthreads();
  float sum = 0.0f;
  for (int i = 0; i < 32; ++i) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
  c[row * n + column] = sum;
}

// C = A A^T: its second example.
extern "C" __global__ void outer_product(const float *a, float *c, int m) {
  int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0.0f;
  for (int i = 0; i < 32; ++i) sum += a[row * 32 + i] * a[column * 32 + i];
  c[row * m + column] = sum;
}

extern "C" __global__ void outer_product_shared(const float *a, float *c, int m) {
  __shared__ float left[32][32], turned[32][32];
  int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  left[threadIdx.y][threadIdx.x] = a[row * 32 + threadIdx.x];
  turned[threadIdx.x][threadIdx.y] = a[(blockIdx.x * 32 + threadIdx.y) * 32 + threadIdx.x];
  __syncthreads();
  float sum = 0.0f;
  for (int i = 0; i < 32; ++i) sum += left[threadIdx.y][i] * turned[i][threadIdx.x];
  c[row * m + column] = sum;
}

extern "C" __global__ void outer_product_padded(const float *a, float *c, int m) {
  __shared__ float left[32][32], turned[32][33];
  int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  left[threadIdx.y][threadIdx.x] = a[row * 32 + threadIdx.x];
  turned[threadIdx.x][threadIdx.y] = a[(blockIdx.x * 32 + threadIdx.y) * 32 + threadIdx.x];
  __syncthreads();
  float sum = 0.0f;
  for (int i = 0; i < 32; ++i) sum += left[threadIdx.y][i] * turned[i][threadIdx.x];
  c[row * m + column] = sum;
}

// Loads of one warp from shared memory, `stride` words from lane to lane.
extern "C" __global__ void bank_stride(float *out, int stride, int rounds) {
  __shared__ float words[33 * 32];
  for (int i = threadIdx.x; i < 33 * 32; i += 32) words[i] = 0.0f;
  __syncwarp();
  volatile float *mine = words + threadIdx.x * stride;
  float sum = 0.0f;
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < 16; ++i) sum += mine[0];
  }
  out[threadIdx.x] = sum;
}
