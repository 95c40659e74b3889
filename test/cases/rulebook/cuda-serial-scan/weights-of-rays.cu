//@case {"kernel": "weights", "spec": {"run": {"kind": "launch", "launch": {"arguments": ["sigma", "w", {"value": "rays", "dtype": "int32"}]}}, "shapes": [{"sizes": {"rays": 64}}]}}
__global__ void weights(const float* sigma, float* w, float step) {
  __shared__ float depth[256];
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  float so_far = 0.0f;
  if (threadIdx.x < 1)
    for (int k = 0; k < 256; ++k) { //@ instructions=9000
      const float inside = sigma[blockIdx.x * 256 + k] * step; //@ instructions=9000
      so_far = so_far + inside;
      depth[k] = so_far - 0.5f * inside; //@ instructions=9000
    }
  __syncthreads();
  w[at] = expf(-depth[threadIdx.x]);
}
void launch(const float* sigma, float* w, int rays) { weights<<<rays, 256>>>(sigma, w, 0.1f); }
