// Attention logits of the re-ranker: one CTA makes a 64 x 64 tile of
//   scores[h][i][j] = scale * <q[h][i], k[h][j]> + bias[h][clip(j - i)]
// head_dim has to be a multiple of 4 (the rows are read eight bytes at a time).
#include <cuda_fp16.h>

namespace reranker {

constexpr int kTile = 64;
constexpr int kDepth = 16;
constexpr int kThreads = 256;
constexpr int kMicro = 4;

struct LogitShape {
  int seq;
  int headDim;
  int maxDistance;
  float scale;
};

__device__ __forceinline__ void stageRows(const __half* __restrict__ rows, int rowCount, int firstRow, int headDim,
                                          int d0, float (*tile)[kTile + 2]) {
  const int r = threadIdx.x >> 2;
  const int d = (threadIdx.x & 3) * 4;
  float2 lo = make_float2(0.0f, 0.0f), hi = lo;
  if (firstRow + r < rowCount && d0 + d < headDim) {
    const uint2 raw = *reinterpret_cast<const uint2*>(rows + (firstRow + r) * headDim + d0 + d);
    lo = __half22float2(*reinterpret_cast<const __half2*>(&raw.x));
    hi = __half22float2(*reinterpret_cast<const __half2*>(&raw.y));
  }
  tile[d + 0][r] = lo.x;
  tile[d + 1][r] = lo.y;
  tile[d + 2][r] = hi.x;
  tile[d + 3][r] = hi.y;
}

__global__ void __launch_bounds__(kThreads)
    attentionLogits(const __half* __restrict__ q, const __half* __restrict__ k, const float* __restrict__ bias,
                    __half* __restrict__ scores, LogitShape shape) {
  __shared__ float tq[kDepth][kTile + 2];
  __shared__ float tk[kDepth][kTile + 2];
  const int head = blockIdx.z;
  const int i0 = blockIdx.y * kTile, j0 = blockIdx.x * kTile;
  const int tx = threadIdx.x & 15, ty = threadIdx.x >> 4;
  const __half* qHead = q + head * shape.seq * shape.headDim;
  const __half* kHead = k + head * shape.seq * shape.headDim;

  float acc[kMicro][kMicro] = {};
  for (int d0 = 0; d0 < shape.headDim; d0 += kDepth) {
    stageRows(qHead, shape.seq, i0, shape.headDim, d0, tq);
    stageRows(kHead, shape.seq, j0, shape.headDim, d0, tk);
    __syncthreads();
#pragma unroll
    for (int d = 0; d < kDepth; ++d) {
      float a[kMicro], b[kMicro];
#pragma unroll
      for (int m = 0; m < kMicro; ++m) {
        a[m] = tq[d][ty + 16 * m];
        b[m] = tk[d][tx + 16 * m];
      }
#pragma unroll
      for (int m = 0; m < kMicro; ++m)
#pragma unroll
        for (int n = 0; n < kMicro; ++n) acc[m][n] = fmaf(a[m], b[n], acc[m][n]);
    }
    __syncthreads();
  }

  const float* headBias = bias + head * (2 * shape.maxDistance + 1) + shape.maxDistance;
#pragma unroll
  for (int m = 0; m < kMicro; ++m) {
    const int i = i0 + ty + 16 * m;
    if (i >= shape.seq) continue;
#pragma unroll
    for (int n = 0; n < kMicro; ++n) {
      const int j = j0 + tx + 16 * n;
      if (j >= shape.seq) continue;
      const int distance = max(-shape.maxDistance, min(shape.maxDistance, j - i));
      scores[(head * shape.seq + i) * shape.seq + j] = __float2half(acc[m][n] * shape.scale + headBias[distance]);
    }
  }
}

void attention_logits(const __half* q, const __half* k, const float* bias, __half* scores, int heads, int seq,
                      int head_dim, int max_distance, float scale) {
  LogitShape shape{seq, head_dim, max_distance, scale};
  const int tiles = (seq + kTile - 1) / kTile;
  attentionLogits<<<dim3(tiles, tiles, heads), kThreads>>>(q, k, bias, scores, shape);
}

}  // namespace reranker
