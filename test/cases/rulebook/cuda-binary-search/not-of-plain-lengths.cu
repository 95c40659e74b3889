//@case {"kernel": "places", "launches": [{"blocks": 4, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
__global__ void places(const int* lengths, const float* x, float* out, int batch) {
  const int token = blockIdx.x;
  int seq = 0;
  while (seq < batch - 1 && token >= lengths[seq + 1]) {  //@ instructions=12000 branches=3200
    ++seq;
  }
  out[token * blockDim.x + threadIdx.x] = x[threadIdx.x] * (token - lengths[seq]);
}

void run(const int* lengths, const float* x, float* out, int batch, int tokens) {
  places<<<tokens, 64>>>(lengths, x, out, batch);
}
