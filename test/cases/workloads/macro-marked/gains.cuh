#pragma once
#include "detail/marks.hpp"

namespace audio {

template <typename Sample>
AUDIO_INLINE Sample amplified(Sample value, float gain) {
  return static_cast<Sample>(static_cast<float>(value) * gain);
}

// One gain for each channel; the channels of a frame lie side by side.
template <typename Sample>
AUDIO_KERNEL apply_gains(Sample* frames, const float* gains, int count, int channels) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= count * channels) return;
  frames[at] = amplified(frames[at], gains[at % channels]);
}

template <typename Sample>
void amplify(Sample* frames, const float* gains, int count, int channels, cudaStream_t stream) {
  const int threads = 192;
  apply_gains<Sample><<<(count * channels + threads - 1) / threads, threads, 0, stream>>>(frames, gains, count, channels);
}

}  // namespace audio
