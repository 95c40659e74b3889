//@case {"kernel": "smooth", "launches": []}
__device__ float spread(const float* image, int pitch, int x, int y) {
  float sum = 0.0f;
  for (int k = -4; k <= 4; ++k) {  //@ instructions=6000
    float d = image[y * pitch + x + k] - image[y * pitch + x];  //@ instructions=24000
    sum += d * d;  //@ instructions=8000
  }
  return sum;
}

__global__ void smooth(const float* image, const unsigned char* inside, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y;
  if (x < 4 || x >= width - 4) {
    if (x < width) out[y * width + x] = 0.0f;  //@ instructions=100
    return;
  }
  float weight = expf(-spread(image, width, x, y));  //@ instructions=2000
  const int at = y * width + x;  // where it goes
  weight /= 3.0f;
  if (inside[at] != 0) {  //@ instructions=300
    out[at] = weight;  //@ instructions=100
  } else {
    out[at] = image[at];  //@ instructions=100
    out[at] *= 2.0f;
  }
}

void run(const float* image, const unsigned char* inside, float* out, int width, int height) {
  smooth<<<dim3((width + 255) / 256, height), 256>>>(image, inside, out, width, height);
}
