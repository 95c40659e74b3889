//@case {"kernel": "loudest"}
// The carried values have the names that a lane gives to what another one hands over.
__global__ void loudest(const float* __restrict__ tracks, int* __restrict__ beat, float* __restrict__ level, int count, int beats) {
  int track = blockIdx.x * blockDim.x + threadIdx.x;
  if (track >= count) return;
  float theirs = -1.0f;
  int where = 0;
  for (int b = 0; b < beats; ++b) {
    float loud = fabsf(tracks[track * beats + b]);  //@ globalLoadSectors=8192 globalLoadSectorsIdeal=1024
    if (loud > theirs) {
      theirs = loud;
      where = b;
    }
  }
  beat[track] = where;
  level[track] = theirs;
}

void run(const float* tracks, int* beat, float* level, int count, int beats) {
  loudest<<<(count + 127) / 128, 128>>>(tracks, beat, level, count, beats);
}
