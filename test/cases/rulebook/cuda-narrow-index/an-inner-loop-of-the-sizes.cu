//@case {"kernel": "taps"}
#include <cstddef>

struct Bank {
  long long count;
  float gain[8];
};

// The inner loop ends by a member of a parameter, which has to be small, too.
__global__ void taps(const float* in, Bank bank, float* out, long long frames) {
  const long long frame = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (frame >= frames) return;  //@ instructions=640
  float wet = 0.0f;
  for (long long tap = 0; tap < bank.count; ++tap)  //@ instructions=5120
    wet += bank.gain[tap] * in[frame * bank.count + tap];  //@ instructions=20480
  out[frame] = wet;
}

void run(const float* in, Bank bank, float* out, long long frames) {
  taps<<<64, 128>>>(in, bank, out, frames);
}
