//@case {"kernel": "relax"}
// Two loops whose variables have the same name.
__global__ void relax(const float* from, float* to, float rate, int sites) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= sites) return;
  float held[6], sum = 0.f;
  for (int k = 0; k < 6; k++) {
    held[k] = from[s * 6 + k]; //@ globalLoadSectors=1536 globalLoadSectorsIdeal=256
    sum += held[k];
  }
  for (int k = 0; k < 6; k++)
    to[s * 6 + k] = held[k] + rate * (sum / 6.f - held[k]); //@ globalStoreSectors=1536 globalStoreSectorsIdeal=256
}
void run(const float* from, float* to, float rate, int sites) { relax<<<(sites + 127) / 128, 128>>>(from, to, rate, sites); }
