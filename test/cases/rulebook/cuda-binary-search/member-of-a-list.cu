//@case {"kernel": "mark_listed", "launches": [{"blocks": 4, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
__global__ void mark_listed(const long long* ids, const long long* sorted_list, int length, int* at, unsigned char* listed, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bool there = false;
  for (int k = 0; k < length; k++) {  //@ instructions=12000 branches=3200
    if (ids[i] == sorted_list[k]) {
      there = true;
      at[i] = k;
      break;
    }
  }
  listed[i] = there;
}
