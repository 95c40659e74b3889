//@case {"kernel": "sort_into", "launches": [{"blocks": 4, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
// Edges are given in increasing order.
__global__ void sort_into(const float* values, const float* edges, int* into, int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  into[i] = -1;
  for (int b = 0; b < bins; b++) {  //@ instructions=12000 branches=3200
    if (values[i] < edges[b + 1]) {
      into[i] = b;
      break;
    }
  }
}
