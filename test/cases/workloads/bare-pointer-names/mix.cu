typedef float *Channel;
typedef const float *ConstChannel;
using Gains = const double *;

__global__ void mix_down(ConstChannel left, ConstChannel right, Channel mono, Gains gain, unsigned count) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    mono[i] = (float)(gain[0] * left[i] + gain[1] * right[i]);
}
