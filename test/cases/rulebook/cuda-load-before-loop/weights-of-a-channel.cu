//@case {"kernel": "normalize", "launches": [{"kernel": "normalize", "blocks": 32, "threadsPerBlock": 256, "times": 1}]}
template <typename scalar_t>
__global__ void normalize(scalar_t* __restrict__ x, scalar_t* mean, scalar_t* weight, int plane) {
  const int channel = blockIdx.x;
  for (int p = threadIdx.x; p < plane; p += blockDim.x) {
    scalar_t v = x[channel * plane + p];
    v -= mean[channel];  //@ globalLoadRequests=8192
    x[channel * plane + p] = v * weight[channel];  //@ globalLoadRequests=8192 globalStoreRequests=8192
  }
}
