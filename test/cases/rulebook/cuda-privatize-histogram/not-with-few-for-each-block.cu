//@case {"kernel": "visits", "launches": [{"blocks": 1000, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}], "spec": {"outputs": {"perHour": {"dtype": "uint32", "shape": [168]}}}}
// Few lanes of a warp have a visit to count, and those of one warp rarely meet.
__global__ void visits(const int* minutes, unsigned* perHour, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int minute = minutes[i];
    if (minute >= 0) atomicAdd(&perHour[minute / 60], 1u);  //@ globalAtomics=32000 globalAtomicPasses=36000 globalAtomicLanes=160000 storedFirst=21
  }
}

void run(const int* minutes, unsigned* perHour, int n) { visits<<<1000, 256>>>(minutes, perHour, n); }
