//@case {"kernel": "blend"}
__global__ void blend(const float* a, const float* b, float* o, float alpha, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    int p = y * w + x + threadIdx.x;
    o[p] = alpha * a[p] + (1.f - alpha) * b[p];  //@ instructions=4000 threadInstructions=64000
  }
}

void mix(const float* a, const float* b, float* o, float alpha, int w, int h) {
  const dim3 t(4, 4), g((w + t.x - 1) / t.x, (h + t.y - 1) / t.y);
  blend<<<g, t>>>(a, b, o, alpha, w, h);
}
