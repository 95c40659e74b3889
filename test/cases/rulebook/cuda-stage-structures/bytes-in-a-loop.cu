//@case {"kernel": "weigh"}
#define CHANNELS 3
// Pixels of three bytes, channels in a loop, points in steps of the grid.
__global__ void weigh(const unsigned char* pixels, unsigned char* out, long n) {
  for (long p = (long)blockIdx.x * blockDim.x + threadIdx.x; p < n; p += (long)gridDim.x * blockDim.x) {
    int sum = 0;
    for (int c = 0; c < CHANNELS; c++)
      sum += pixels[p * CHANNELS + c]; //@ globalLoadSectors=900 globalLoadSectorsIdeal=300
    out[p] = sum / CHANNELS; //@ globalStoreSectors=100 globalStoreSectorsIdeal=100
  }
}
void run(const unsigned char* pixels, unsigned char* out, long n) { weigh<<<(n + 255) / 256, 256>>>(pixels, out, n); }
