__global__ void transposeCoalesced(float *odata, const float *idata, int w, int h)
{
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < h && y + j < w) odata[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}
void tr(float *odata, const float *idata, int w, int h)
{
  transposeCoalesced<<<dim3((w + 31) / 32, (h + 31) / 32), dim3(32, 8)>>>(odata, idata, w, h);
}
