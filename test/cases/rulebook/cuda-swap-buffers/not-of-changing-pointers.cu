//@case {"kernel": "carry", "copies": 600}
__global__ void carry(const float* now, float* then, int cells) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cells) then[i] = 0.5f * now[i];
}
void run(float* dye, float* spare, int cells, int steps) {
  for (int step = 0; step < steps; ++step) {
    carry<<<(cells + 255) / 256, 256>>>(dye, spare, cells);
    cudaMemcpy(dye, spare, cells * sizeof(float), cudaMemcpyDeviceToDevice);
    dye += cells;
  }
}
