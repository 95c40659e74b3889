//@case {"kernel": "energy"}
__global__ void energy(const double* signal, double* sums, int samples) {
  if (blockIdx.x * blockDim.x >= samples) return;
  const int channel = blockIdx.y;
  for (int s = blockIdx.x * blockDim.x + threadIdx.x; s < samples; s += blockDim.x * gridDim.x) {
    const double v = signal[channel * samples + s];
    atomicAdd(&sums[channel], v * v);  //@ globalAtomics=1000 globalAtomicPasses=32000
  }
}

void run(const double* signal, double* sums, int channels, int samples) {
  dim3 grid((samples + 255) / 256, channels);
  energy<<<grid, 256>>>(signal, sums, samples);
}
