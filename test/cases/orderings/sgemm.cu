// Single-precision products C = alpha A B + beta C of square matrices, row by row in memory, from the plainest
// to the best of the series. Sizes are multiples of the tiles.

// Consecutive threads of a warp go down the rows of C: every load of A and store of C is scattered.
extern "C" __global__ void sgemm_naive(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

// Consecutive threads go along a row.
extern "C" __global__ void sgemm_coalesced(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c) {
  int row = blockIdx.x * 32 + threadIdx.x / 32;
  int column = blockIdx.y * 32 + threadIdx.x % 32;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

// Tiles of 32 by 32 in shared memory, one element a thread.
extern "C" __global__ void sgemm_shared(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c) {
  __shared__ float left[32 * 32];
  __shared__ float right[32 * 32];
  int down = threadIdx.x / 32, across = threadIdx.x % 32;
  a += blockIdx.x * 32 * k;
  b += blockIdx.y * 32;
  c += blockIdx.x * 32 * n + blockIdx.y * 32;
  float sum = 0.0f;
  for (int tile = 0; tile < k; tile += 32) {
    left[down * 32 + across] = a[down * k + across];
    right[down * 32 + across] = b[down * n + across];
    __syncthreads();
    a += 32;
    b += 32 * n;
    for (int i = 0; i < 32; ++i) sum += left[down * 32 + i] * right[i * 32 + across];
    __syncthreads();
  }
  c[down * n + across] = alpha * sum + beta * c[down * n + across];
}

// Tiles of 64 by 64 by 8, a column of eight elements a thread.
extern "C" __global__ void sgemm_column_tiles(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c) {
  __shared__ float left[64 * 8];
  __shared__ float right[8 * 64];
  int down = threadIdx.x / 64, across = threadIdx.x % 64;
  int leftRow = threadIdx.x / 8, leftColumn = threadIdx.x % 8;
  int rightRow = threadIdx.x / 64, rightColumn = threadIdx.x % 64;
  a += blockIdx.y * 64 * k;
  b += blockIdx.x * 64;
  c += blockIdx.y * 64 * n + blockIdx.x * 64;
  float sums[8] = {0.0f};
  for (int tile = 0; tile < k; tile += 8) {
    left[leftRow * 8 + leftColumn] = a[leftRow * k + leftColumn];
    right[rightRow * 64 + rightColumn] = b[rightRow * n + rightColumn];
    __syncthreads();
    a += 8;
    b += 8 * n;
    for (int i = 0; i < 8; ++i) {
      float shared = right[i * 64 + across];
      for (int r = 0; r < 8; ++r) sums[r] += left[(down * 8 + r) * 8 + i] * shared;
    }
    __syncthreads();
  }
  for (int r = 0; r < 8; ++r)
    c[(down * 8 + r) * n + across] = alpha * sums[r] + beta * c[(down * 8 + r) * n + across];
}

// Tiles of 128 by 128 by 8, eight by eight elements a thread.
extern "C" __global__ void __launch_bounds__(256, 1) sgemm_square_tiles(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c) {
  __shared__ float left[128 * 8];
  __shared__ float right[8 * 128];
  int down = threadIdx.x / 16, across = threadIdx.x % 16;
  int leftRow = threadIdx.x / 8, leftColumn = threadIdx.x % 8;
  int rightRow = threadIdx.x / 128, rightColumn = threadIdx.x % 128;
  a += blockIdx.y * 128 * k;
  b += blockIdx.x * 128;
  c += blockIdx.y * 128 * n + blockIdx.x * 128;
  float sums[64] = {0.0f};
  float rows[8], columns[8];
  for (int tile = 0; tile < k; tile += 8) {
    for (int skip = 0; skip < 128; skip += 32) left[(leftRow + skip) * 8 + leftColumn] = a[(leftRow + skip) * k + leftColumn];
    for (int skip = 0; skip < 8; skip += 2) right[(rightRow + skip) * 128 + rightColumn] = b[(rightRow + skip) * n + rightColumn];
    __syncthreads();
    a += 8;
    b += 8 * n;
    for (int i = 0; i < 8; ++i) {
      for (int r = 0; r < 8; ++r) rows[r] = left[(down * 8 + r) * 8 + i];
      for (int s = 0; s < 8; ++s) columns[s] = right[i * 128 + across * 8 + s];
      for (int r = 0; r < 8; ++r)
        for (int s = 0; s < 8; ++s) sums[r * 8 + s] += rows[r] * columns[s];
    }
    __syncthreads();
  }
  for (int r = 0; r < 8; ++r)
    for (int s = 0; s < 8; ++s) {
      int place = (down * 8 + r) * n + across * 8 + s;
      c[place] = alpha * sums[r * 8 + s] + beta * c[place];
    }
}

// The same with accesses of 16 bytes and A turned in shared memory. Depth: 8 or 16.
template <int depth>
__device__ void vectorised(int n, int k, float alpha, const float *a, const float *b, float beta, float *c) {
  __shared__ float left[128 * depth];
  __shared__ float right[depth * 128];
  int down = threadIdx.x / 16, across = threadIdx.x % 16;
  int leftRow = threadIdx.x / (depth / 4), leftColumn = threadIdx.x % (depth / 4);
  int rightRow = threadIdx.x / 32, rightColumn = threadIdx.x % 32;
  constexpr int leftSkip = 256 / (depth / 4);
  a += blockIdx.y * 128 * k;
  b += blockIdx.x * 128;
  c += blockIdx.y * 128 * n + blockIdx.x * 128;
  float sums[64] = {0.0f};
  float rows[8], columns[8];
  for (int tile = 0; tile < k; tile += depth) {
    for (int skip = 0; skip < 128; skip += leftSkip) {
      float4 four = reinterpret_cast<const float4 *>(&a[(leftRow + skip) * k + leftColumn * 4])[0];
      left[(leftColumn * 4 + 0) * 128 + leftRow + skip] = four.x;
      left[(leftColumn * 4 + 1) * 128 + leftRow + skip] = four.y;
      left[(leftColumn * 4 + 2) * 128 + leftRow + skip] = four.z;
      left[(leftColumn * 4 + 3) * 128 + leftRow + skip] = four.w;
    }
    for (int skip = 0; skip < depth; skip += 8)
      reinterpret_cast<float4 *>(&right[(rightRow + skip) * 128 + rightColumn * 4])[0] =
          reinterpret_cast<const float4 *>(&b[(rightRow + skip) * n + rightColumn * 4])[0];
    __syncthreads();
    a += depth;
    b += depth * n;
    for (int i = 0; i < depth; ++i) {
      for (int r = 0; r < 8; ++r) rows[r] = left[i * 128 + down * 8 + r];
      for (int s = 0; s < 8; ++s) columns[s] = right[i * 128 + across * 8 + s];
      for (int r = 0; r < 8; ++r)
        for (int s = 0; s < 8; ++s) sums[r * 8 + s] += rows[r] * columns[s];
    }
    __syncthreads();
  }
  for (int r = 0; r < 8; ++r)
    for (int s = 0; s < 8; s += 4) {
      float4 *place = reinterpret_cast<float4 *>(&c[(down * 8 + r) * n + across * 8 + s]);
      float4 old = place[0];
      old.x = alpha * sums[r * 8 + s] + beta * old.x;
      old.y = alpha * sums[r * 8 + s + 1] + beta * old.y;
      old.z = alpha * sums[r * 8 + s + 2] + beta * old.z;
      old.w = alpha * sums[r * 8 + s + 3] + beta * old.w;
      place[0] = old;
    }
}

extern "C" __global__ void __launch_bounds__(256) sgemm_vectorised(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c) {
  vectorised<8>(n, k, alpha, a, b, beta, c);
}

extern "C" __global__ void __launch_bounds__(256) sgemm_tuned(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c) {
  vectorised<16>(n, k, alpha, a, b, beta, c);
}

// Tiles of 128 by 128 by 16; each of four warps has 64 by 64, in four steps of 64 by 16, eight by four elements a thread.
extern "C" __global__ void __launch_bounds__(128) sgemm_warp_tiles(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c) {
  __shared__ float left[128 * 16];
  __shared__ float right[16 * 128];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int warpDown = warp / 2, warpAcross = warp % 2;
  int down = lane / 4, across = lane % 4;
  int leftRow = threadIdx.x / 4, leftColumn = threadIdx.x % 4;
  int rightRow = threadIdx.x / 32, rightColumn = threadIdx.x % 32;
  a += blockIdx.y * 128 * k;
  b += blockIdx.x * 128;
  c += (blockIdx.y * 128 + warpDown * 64) * n + blockIdx.x * 128 + warpAcross * 64;
  float sums[8 * 16] = {0.0f};
  float rows[8], columns[16];
  for (int tile = 0; tile < k; tile += 16) {
    for (int skip = 0; skip < 128; skip += 32) {
      float4 four = reinterpret_cast<const float4 *>(&a[(leftRow + skip) * k + leftColumn * 4])[0];
      left[(leftColumn * 4 + 0) * 128 + leftRow + skip] = four.x;
      left[(leftColumn * 4 + 1) * 128 + leftRow + skip] = four.y;
      left[(leftColumn * 4 + 2) * 128 + leftRow + skip] = four.z;
      left[(leftColumn * 4 + 3) * 128 + leftRow + skip] = four.w;
    }
    for (int skip = 0; skip < 16; skip += 4)
      reinterpret_cast<float4 *>(&right[(rightRow + skip) * 128 + rightColumn * 4])[0] =
          reinterpret_cast<const float4 *>(&b[(rightRow + skip) * n + rightColumn * 4])[0];
    __syncthreads();
    for (int i = 0; i < 16; ++i) {
      for (int r = 0; r < 8; ++r) rows[r] = left[i * 128 + warpDown * 64 + down * 8 + r];
      for (int step = 0; step < 4; ++step)
        for (int s = 0; s < 4; ++s) columns[step * 4 + s] = right[i * 128 + warpAcross * 64 + step * 16 + across * 4 + s];
      for (int step = 0; step < 4; ++step)
        for (int r = 0; r < 8; ++r)
          for (int s = 0; s < 4; ++s) sums[r * 16 + step * 4 + s] += rows[r] * columns[step * 4 + s];
    }
    a += 16;
    b += 16 * n;
    __syncthreads();
  }
  for (int step = 0; step < 4; ++step)
    for (int r = 0; r < 8; ++r) {
      float4 *place = reinterpret_cast<float4 *>(&c[(down * 8 + r) * n + step * 16 + across * 4]);
      float4 old = place[0];
      old.x = alpha * sums[r * 16 + step * 4] + beta * old.x;
      old.y = alpha * sums[r * 16 + step * 4 + 1] + beta * old.y;
      old.z = alpha * sums[r * 16 + step * 4 + 2] + beta * old.z;
      old.w = alpha * sums[r * 16 + step * 4 + 3] + beta * old.w;
      place[0] = old;
    }
}
