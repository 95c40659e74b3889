// One step of a rumour along the edges of a graph. Each edge says from whom to whom, and how well they talk.
struct Edge {
  int from;
  int to;
  float trust;
};

__global__ void spread(const Edge* __restrict__ edges, const float* __restrict__ heard, float* told, int count) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= count) return;
  const Edge edge = edges[e];
  told[e] = edge.trust * (heard[edge.from] - heard[edge.to]);
}
