// task: cuda-records
// source: z
// does: takes the length of the first structure for all
// caught by: wrong values

struct Track {
  const float* recorded;
  float gain;
  int samples;
};

__global__ void mix(const Track* all, float* mixed, int tracks, int longest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= longest) return;
  float sum = 0.0f;
  if (i < all[0].samples)
    for (int track = 0; track < tracks; ++track) sum += all[track].gain * all[track].recorded[i];
  mixed[i] = sum;
}
