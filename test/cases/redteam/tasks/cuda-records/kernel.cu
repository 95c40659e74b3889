struct Track {
  const float* recorded;
  float gain;
  int samples;
};

__global__ void mix(const Track* all, float* mixed, int tracks, int longest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= longest) return;
  float sum = 0.0f;
  for (int track = 0; track < tracks; ++track)
    if (i < all[track].samples) sum += all[track].gain * all[track].recorded[i];
  mixed[i] = sum;
}
