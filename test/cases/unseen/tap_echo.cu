// Audio plug-in: multi-tap echo out of a ring buffer of interleaved channels. Positions are sample clocks,
// which are 64 bits wide; the ring's length is a power of two.
#include <cstdint>

namespace dsp {

constexpr int maxTaps = 32;

struct TapBank {
  int64_t delay[maxTaps];
  float gain[maxTaps];
  int64_t count;
};

template <typename Sample>
class RingView {
 public:
  __host__ __device__ RingView(const Sample* samples, int64_t length, int64_t channels)
      : samples_(samples), mask_(length - 1), channels_(channels) {}

  /** The sample of a channel at a clock, wrapped into the ring. */
  __device__ Sample at(int64_t clock, int64_t channel) const {
    const int64_t frame = clock & mask_;
    return samples_[frame * channels_ + channel];
  }

 private:
  const Sample* samples_;
  int64_t mask_;
  int64_t channels_;
};

__global__ void echoTaps(RingView<float> ring, TapBank taps, float* output, int64_t clock, int64_t frames,
                         int64_t channels) {
  const int64_t channel = threadIdx.x;
  const int64_t frame = static_cast<int64_t>(blockIdx.x) * blockDim.y + threadIdx.y;
  if (frame >= frames) return;
  float wet = 0.0f;
  for (int64_t tap = 0; tap < taps.count; ++tap)
    wet += taps.gain[tap] * ring.at(clock + frame - taps.delay[tap], channel);
  output[frame * channels + channel] = wet;
}

void echo(const float* ring, const int64_t* delays, const float* gains, float* output, int64_t channels,
          int64_t length, int64_t clock, int64_t frames, int64_t count) {
  TapBank taps = {};
  taps.count = count;
  for (int64_t tap = 0; tap < count; ++tap) {
    taps.delay[tap] = delays[tap];
    taps.gain[tap] = gains[tap];
  }
  const dim3 block(static_cast<unsigned>(channels), static_cast<unsigned>(256 / channels));
  const dim3 grid(static_cast<unsigned>((frames + block.y - 1) / block.y));
  echoTaps<<<grid, block>>>(RingView<float>(ring, length, channels), taps, output, clock, frames, channels);
}

}  // namespace dsp
