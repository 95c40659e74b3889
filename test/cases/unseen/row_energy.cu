// Energy of each channel: blocks along x share the channel that blockIdx.y names.
template <typename Real>
__device__ inline Real squared(Real v) {
  return v * v;
}

template <typename Real>
__global__ void channel_energy(const Real* signal, Real* energy, int samples) {
  const int channel = blockIdx.y;
  for (int s = blockIdx.x * blockDim.x + threadIdx.x; s < samples; s += blockDim.x * gridDim.x) {
    const Real v = signal[channel * samples + s];
    atomicAdd(&energy[channel], squared<Real>(v));
  }
}

void energies(const double* signal, double* energy, int channels, int samples) {
  dim3 grid((samples + 255) / 256, channels);
  channel_energy<double><<<grid, 256>>>(signal, energy, samples);
}
