typedef long long int64;

__global__ void upsampleNearest(const int64 total, const float* bottom, float* top, const int64 channels,
                                const int64 height, const int64 width, const int64 factor) {
  for (int64 index = blockIdx.x * (int64)blockDim.x + threadIdx.x; index < total;
       index += (int64)blockDim.x * gridDim.x) {
    const int64 ow = index % (width * factor);
    const int64 oh = (index / (width * factor)) % (height * factor);
    const int64 c = (index / (width * factor) / (height * factor)) % channels;
    const int64 n = index / (width * factor) / (height * factor) / channels;
    top[index] = bottom[((n * channels + c) * height + oh / factor) * width + ow / factor];
  }
}

void upsample(const float* bottom, float* top, int n, int channels, int height, int width, int factor) {
  const int64 total = (int64)n * channels * height * width * factor * factor;
  const int threads = 512;
  upsampleNearest<<<(unsigned)((total + threads - 1) / threads), threads>>>(total, bottom, top, channels, height, width, factor);
}
