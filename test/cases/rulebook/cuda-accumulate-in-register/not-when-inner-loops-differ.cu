//@case {"kernel": "scores"}
__global__ void scores(const float* x, float* score, int variants, int people) {
  const int person = blockIdx.x * blockDim.x + threadIdx.x;
  for (int v = 0; v < variants; ++v) {
    for (int t = 0; t < 4; ++t) score[t * people + person] += x[v];  //@ globalStoreRequests=4000 globalLoadRequests=8000
    for (int t = 1; t < 4; ++t) score[t * people + person] *= 0.5f;  //@ globalStoreRequests=3000 globalLoadRequests=6000
  }
}
