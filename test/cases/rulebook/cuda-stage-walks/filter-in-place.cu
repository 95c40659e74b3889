//@case {"kernel": "filter"}
// Two sections of a filter, one after the other, over a trace of each thread.
__global__ void filter(float* trace, const float* taps, int traces, int samples) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= traces) return;
  for (int section = 0; section < 2; ++section) {
    const float gain = taps[section * 2], pole = taps[section * 2 + 1];
    float state = 0.f;
    for (int i = 0; i < samples; ++i) {
      float x = trace[t * samples + i]; //@ globalLoadSectors=4096 globalLoadSectorsIdeal=512
      state = gain * x - pole * state;
      trace[t * samples + i] = state; //@ globalStoreSectors=4096 globalStoreSectorsIdeal=512
    }
  }
}
void run(float* trace, const float* taps, int traces, int samples) {
  filter<<<(traces + 127) / 128, 128>>>(trace, taps, traces, samples);
}
