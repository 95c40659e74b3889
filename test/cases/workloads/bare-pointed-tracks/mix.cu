// Tracks of a recording, mixed down to one: each has a level of its own, and where it starts to fade.
struct Track {
  const float *samples;
  float level;
  float fade;
};

__global__ void mix_down(const Track *tracks, float *mixed, int count, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  float sum = 0.0f;
  for (int t = 0; t < count; ++t) sum += tracks[t].level * tracks[t].samples[i] - tracks[t].fade;
  mixed[i] = sum;
}
