// Rows of the result are `pitch` elements apart; what lies behind a row's end is not ours.
__global__ void widen(const short* __restrict__ in, float* __restrict__ out, int width, int height, int pitch,
                      float scale) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * pitch + x] = scale * in[y * width + x];
}
