#include <cuda_runtime.h>
#include <stdexcept>

// How well each singer keeps to the tuning of a choir, whose partials one block keeps near.
template <int Partials>
__global__ void keepsTune(const float *voices, const float *tuning, float *distance, int singers, int partials) {
  __shared__ float near[Partials];
  for (int p = threadIdx.x; p < partials; p += blockDim.x) near[p] = tuning[p];
  __syncthreads();
  const int singer = blockIdx.x * blockDim.x + threadIdx.x;
  if (singer >= singers) return;
  float apart = 0.0f;
  for (int p = 0; p < partials; ++p) {
    const float off = voices[singer * partials + p] - near[p];
    apart = fmaf(off, off, apart);
  }
  distance[singer] = sqrtf(apart);
}

class Choir {
 public:
  Choir(const float *tuning, int partials) : tuning_(tuning), partials_(partials) {
    if (partials > most) throw std::length_error("too many partials");
  }
  void listen(const float *voices, float *distance, int singers) const {
    keepsTune<most><<<(singers + 63) / 64, 64>>>(voices, tuning_, distance, singers, partials_);
  }

 private:
  static constexpr int most = 192;
  const float *tuning_;
  int partials_;
};

void rehearse(const float *voices, const float *tuning, float *distance, int singers, int partials) {
  Choir(tuning, partials).listen(voices, distance, singers);
}
