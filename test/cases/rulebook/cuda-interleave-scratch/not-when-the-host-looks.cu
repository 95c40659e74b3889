//@case {"kernel": "paths"}
__global__ void paths(const float* price, float* scratch, float* out, int depth) {
  const int t = blockIdx.x * 64 + threadIdx.x;
  float p = price[t];
  for (int d = 0; d < depth; ++d) {
    p = p * 1.01f + 0.5f;
    scratch[d + t * depth] = p;  //@ globalStoreSectors=32768 globalStoreSectorsIdeal=4096
  }
  float best = 0.0f;
  for (int d = depth - 1; d >= 0; --d) best = fmaxf(best * 0.9f, scratch[t * depth + d]);
  out[t] = best;
}

void run(const float* price, float* out, int blocks, int depth) {
  float* scratch;
  cudaMalloc(&scratch, sizeof(float) * depth * blocks * 64);
  paths<<<blocks, 64>>>(price, scratch, out, depth);
  cudaMemcpy(out, scratch, 64, cudaMemcpyDeviceToDevice);
  cudaFree(scratch);
}
