__global__ void rgb2gray(const unsigned char* rgb, unsigned char* gray, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
  {
    float r = rgb[3 * i + 0];
    float g = rgb[3 * i + 1];
    float b = rgb[3 * i + 2];
    gray[i] = (unsigned char)(0.299f * r + 0.587f * g + 0.114f * b);
  }
}
void convert(const unsigned char* rgb, unsigned char* gray, int n) { rgb2gray<<<(n + 255) / 256, 256>>>(rgb, gray, n); }
