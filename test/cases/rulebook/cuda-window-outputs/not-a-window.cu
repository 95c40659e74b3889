//@case {"kernel": "scale"}
__global__ void scale(const float* u, float* v, const float* rows, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) v[y * w + x] = u[y * w + x] * rows[y]; //@ globalLoadSectors=500 loadedAgain=400
}
void run(const float* u, float* v, const float* rows, int w, int h) { scale<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(u, v, rows, w, h); }
