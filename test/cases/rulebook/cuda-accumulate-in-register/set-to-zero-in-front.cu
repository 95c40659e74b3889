//@case {"kernel": "heights"}
__global__ void heights(const float* hits, const float* gains, float* map, int cells, int shots) {
  int cell = blockIdx.x * blockDim.x + threadIdx.x;
  int layer = blockIdx.y;
  if (cell >= cells) return;
  map[layer * cells + cell] = 0.0f;
  float scale = gains[layer];
  for (int shot = 0; shot < shots; ++shot) {
    int from = (int)(cell * scale) + shot;
    if (from + 1 < cells) {
      map[layer * cells + cell] += hits[shot * cells + from] - hits[shot * cells + from + 1];  //@ globalStoreRequests=4096 globalLoadRequests=12288
    }
  }
  map[layer * cells + cell] *= scale;
}
