//@case {"kernel": "fill"}
#define SIDE 8
__global__ void fill(float* o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  o[y * w + x] = x - y;  //@ instructions=4000 threadInstructions=64000
}

void run(float* o, int w, int h) {
  dim3 block(SIDE, SIDE);
  dim3 grid((w + SIDE - 1) / SIDE, (h + SIDE - 1) / SIDE);
  fill<<<grid, block>>>(o, w, h);
}
