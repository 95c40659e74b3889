//@case {"kernel": "conv"}
constexpr int R = 3;
// Each thread sums one output over all channels; planes of inputs and outputs lie one behind the other.
__global__ void conv(const float* in, const float* filter, const float* bias, float* out, int channels, int filters,
                     int h, int w) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int f = blockIdx.z % filters;
  const int n = blockIdx.z / filters;
  if (x >= w - R + 1 || y >= h - R + 1) return;
  float sum = bias[f];
  for (int c = 0; c < channels; ++c)
    for (int j = 0; j < R; ++j)
      for (int i = 0; i < R; ++i)
        sum += in[((n * channels + c) * h + y + j) * w + x + i] * filter[((f * channels + c) * R + j) * R + i]; //@ globalLoadSectors=900 loadedAgain=800
  out[((n * filters + f) * (h - R + 1) + y) * (w - R + 1) + x] = fmaxf(sum, 0.0f);
}

void run(const float* in, const float* filter, const float* bias, float* out, int channels, int filters, int h, int w) {
  dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16, filters);
  conv<<<grid, block>>>(in, filter, bias, out, channels, filters, h, w);
}
