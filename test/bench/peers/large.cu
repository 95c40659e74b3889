// A register-tiled matrix product, unrolled so far that its PTX has about 2,000 lines: what a tuned kernel looks like to a code generator.

constexpr int kSide = 8;
constexpr int kDepth = 12;

extern "C" __global__ void large(const float* a, const float* b, float* c, int size) {
  __shared__ float tileA[kDepth][128 + 4];
  __shared__ float tileB[kDepth][128 + 4];
  int thread = threadIdx.x;
  int row = thread / 16 * kSide, column = thread % 16 * kSide;
  float total[kSide][kSide] = {};
  for (int start = 0; start < size; start += kDepth) {
#pragma unroll
    for (int item = 0; item < 128 * kDepth / 256; ++item) {
      int at = item * 256 + thread;
      tileA[at % kDepth][at / kDepth] = a[(blockIdx.y * 128 + at / kDepth) * size + start + at % kDepth];
      tileB[at / 128][at % 128] = b[(start + at / 128) * size + blockIdx.x * 128 + at % 128];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float left[kSide], right[kSide];
#pragma unroll
      for (int i = 0; i < kSide; ++i) left[i] = tileA[k][row + i];
#pragma unroll
      for (int j = 0; j < kSide; ++j) right[j] = tileB[k][column + j];
#pragma unroll
      for (int i = 0; i < kSide; ++i) {
#pragma unroll
        for (int j = 0; j < kSide; ++j) total[i][j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kSide; ++i) {
#pragma unroll
    for (int j = 0; j < kSide; ++j) {
      long at = static_cast<long>(blockIdx.y * 128 + row + i) * size + blockIdx.x * 128 + column + j;
      c[at] = total[i][j] > 0.0f ? total[i][j] : 0.01f * total[i][j];
    }
  }
}
