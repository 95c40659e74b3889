// Gradients of the gains of a normalisation: a block for each sample, which adds to the sums of all channels.
#include <cuda_runtime.h>

__global__ void gain_gradients(const float* __restrict__ grads, const float* __restrict__ values,
                               const float* __restrict__ scales, float* gains, float* offsets, float* out, int channels) {
  const int sample = blockIdx.x;
  const float scale = scales[sample];
  for (int c = threadIdx.x; c < channels; c += blockDim.x) {
    const float grad = grads[sample * channels + c];
    const float value = values[sample * channels + c] * scale;
    out[sample * channels + c] = grad * scale;
    atomicAdd(&gains[c], grad * value);
    atomicAdd(&offsets[c], grad);
  }
}

void gradients(const float* grads, const float* values, const float* scales, float* gains, float* offsets, float* out,
               int samples, int channels) {
  gain_gradients<<<samples, 128>>>(grads, values, scales, gains, offsets, out, channels);
}
