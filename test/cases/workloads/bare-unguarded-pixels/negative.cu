__global__ void negative(const unsigned char *photo, unsigned char *film, int across, int down) {
  int x = threadIdx.x + blockDim.x * blockIdx.x;
  int y = threadIdx.y + blockDim.y * blockIdx.y;
  film[x + y * across] = 255 - photo[x + y * across];
}
