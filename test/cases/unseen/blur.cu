#define RADIUS 4

__global__ void blurKernel(float *image, float *smooth, int width, int height) {
  int px = blockIdx.x * blockDim.x + threadIdx.x;
  int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;

  float total = 0;
  int inside = 0;
  for (int oy = -RADIUS; oy <= RADIUS; oy++) {
    for (int ox = -RADIUS; ox <= RADIUS; ox++) {
      int qx = px + ox, qy = py + oy;
      if (qx >= 0 && qx < width && qy >= 0 && qy < height) {
        total += image[qy * width + qx];
        inside++;
      }
    }
  }
  smooth[py * width + px] = total / inside;
}
void blur(float *image, float *smooth, int width, int height) {
  dim3 blocks((width + 15) / 16, (height + 15) / 16);
  dim3 threads(16, 16);
  blurKernel<<<blocks, threads>>>(image, smooth, width, height);
}
