// One sweep of score spreading over a graph in CSR form; a vertex of degree zero keeps its score.
using vid_t = int;
using eid_t = int;

struct Graph {
  const eid_t* row;
  const vid_t* col;
  vid_t n;
};

__global__ void spread(Graph g, const float* score, float* next, float keep) {
  const vid_t step = gridDim.x * blockDim.x;
  for (vid_t v = blockIdx.x * blockDim.x + threadIdx.x; v < g.n; v += step) {
    eid_t b = g.row[v], e = g.row[v + 1];
    if (b == e) { next[v] = score[v]; continue; }
    float s = 0.0f;
    for (eid_t k = b; k != e; ++k) s += score[g.col[k]];
    next[v] = keep * score[v] + (1.0f - keep) * s / static_cast<float>(e - b);
  }
}

void spread_once(const int* row, const int* col, const float* score, float* next, int n, float keep) {
  Graph g{row, col, n};
  spread<<<4, 128>>>(g, score, next, keep);
}
