// Pull-style PageRank, "prepare" phase: before the edge phase every vertex publishes
// what it sends along each of its out-edges, and how much it moved since the last round.
#include <cuda_runtime.h>

using vid_t = int;

template <typename Rank>
struct RankState {
  const vid_t* rowPtr;  // |V| + 1
  const Rank* current;
  const Rank* previous;
  Rank* contribution;
  Rank* residual;
  vid_t vertices;
};

template <typename Rank>
__device__ __forceinline__ Rank share(Rank rank, vid_t degree, Rank damping) {
  // dangling vertices send nothing, their mass is redistributed on the host
  return degree > 0 ? damping * rank / static_cast<Rank>(degree) : Rank(0);
}

// Every thread owns a contiguous range of vertices, so that the ranges can later be
// balanced by edges and not by vertices.
template <typename Rank, int VerticesPerThread>
__global__ void prepareRound(RankState<Rank> state, Rank damping) {
  const vid_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  const vid_t begin = thread * VerticesPerThread;
  const vid_t end = min(begin + VerticesPerThread, state.vertices);

  if (begin >= state.vertices) return;

  vid_t edge = state.rowPtr[begin];
  for (vid_t v = begin; v < end; ++v) {
    const vid_t nextEdge = state.rowPtr[v + 1];
    const vid_t degree = nextEdge - edge;
    edge = nextEdge;
    const Rank rank = state.current[v];
    state.contribution[v] = share(rank, degree, damping);
    state.residual[v] = fabsf(rank - state.previous[v]);
  }
}

void prepare(const vid_t* row_ptr, const float* current, const float* previous, float* contribution,
             float* residual, int vertices, float damping) {
  constexpr int kThreads = 128;
  constexpr int kPerThread = 16;
  const int perBlock = kThreads * kPerThread;
  RankState<float> state{row_ptr, current, previous, contribution, residual, vertices};
  prepareRound<float, kPerThread><<<(vertices + perBlock - 1) / perBlock, kThreads>>>(state, damping);
}
