typedef unsigned char u8;
__global__ void invert(const u8 *__restrict__ img, u8 *__restrict__ out, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 255 - img[i];
}
void negative(const u8 *img, u8 *out, int n) { invert<<<(n + 127) / 128, 128>>>(img, out, n); }
