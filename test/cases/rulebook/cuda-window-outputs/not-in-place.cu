//@case {"kernel": "relax"}
__global__ void relax(float* u, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
    u[y * w + x] = 0.25f * (u[y * w + x - 1] + u[y * w + x + 1] + u[(y - 1) * w + x] + u[(y + 1) * w + x]); //@ globalLoadSectors=500 loadedAgain=400
}
void run(float* u, int w, int h) { relax<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(u, w, h); }
