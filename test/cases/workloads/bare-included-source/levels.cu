// Maps 16-bit samples to 8-bit levels. Has no includes of its own: pipeline.cu draws it in.
__global__ void to_levels(const uint16_t* samples, uint8_t* levels, uint32_t count) {
  const uint32_t i = blockIdx.x * THREADS + threadIdx.x;
  if (i < count) levels[i] = static_cast<uint8_t>(samples[i] >> LEVEL_SHIFT);
}
