// The largest magnitude of every two blocks' worth of samples; the caller takes the largest of those.
#define THREADS 512

__global__ void stretch_peaks(float* peaks, float* signal, unsigned samples) {
  __shared__ float seen[2 * THREADS];
  const unsigned lane = threadIdx.x, width = blockDim.x;
  const unsigned first = 2 * blockIdx.x * width;
  seen[lane] = first + lane < samples ? fabsf(signal[first + lane]) : 0.0f;
  seen[lane + width] = first + lane + width < samples ? fabsf(signal[first + lane + width]) : 0.0f;
  for (unsigned half = THREADS; half > 0; half /= 2) {
    __syncthreads();
    if (lane < half) seen[lane] = fmaxf(seen[lane], seen[lane + half]);
  }
  if (lane == 0) peaks[blockIdx.x] = seen[0];
}
