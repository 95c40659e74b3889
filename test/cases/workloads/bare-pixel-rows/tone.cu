// The first channels of each pixel of a picture that has more of them, as bytes.
__global__ void tone(unsigned long long values, unsigned channels, unsigned pitch, const float* picture,
                     unsigned char* bytes) {
  const unsigned long long at = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
  if (at >= values) return;
  const unsigned long long pixel = at / channels;
  const unsigned channel = (unsigned)(at - pixel * channels);
  const float light = fminf(fmaxf(picture[pixel * pitch + channel], 0.0f), 1.0f);
  bytes[at] = (unsigned char)(sqrtf(light) * 255.0f + 0.5f);
}
