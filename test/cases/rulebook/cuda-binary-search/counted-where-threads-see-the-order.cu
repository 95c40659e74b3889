//@case {"kernel": "rank_of", "launches": [{"blocks": 4, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
__global__ void rank_of(const int *keys, int m, const int *quantile, int q, int *rank) {
  const int id = threadIdx.x + blockDim.x * blockIdx.x;
  if (id < m) {
    int r = 0;
    for (int j = 0; j != q; j += 1) r += (quantile[j] < keys[id]) ? 1 : 0;  //@ instructions=12000 branches=3200
    rank[id] = r;
  }
}
