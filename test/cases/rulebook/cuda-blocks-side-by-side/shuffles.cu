//@case {"kernel": "loudness", "threads": 128, "launches": [{"blocks": 20000}]}
// The power of each channel of interleaved sound, by warps and then by the warps' sums.
__global__ void loudness(const float* sound, float* power, int count, int channels) {
  __shared__ float part[32];
  int lane = threadIdx.x % 32, group = threadIdx.x / 32;
  float sum = 0.0f;
  for (int k = threadIdx.x; k < count; k += blockDim.x) {
    float here = sound[k * channels + blockIdx.x]; //@ globalLoadSectors=80000 globalLoadSectorsIdeal=10000
    sum += here * here;
  }
  for (int o = 16; o > 0; o >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, o);
  if (lane == 0) part[group] = sum;
  __syncthreads();
  sum = threadIdx.x < blockDim.x / 32 ? part[lane] : 0.0f;
  if (group == 0) {
    sum += __shfl_xor_sync(0xffffffffu, sum, 16);
    sum += __shfl_xor_sync(0xffffffffu, sum, 8);
    sum += __shfl_xor_sync(0xffffffffu, sum, 4);
    sum += __shfl_xor_sync(0xffffffffu, sum, 2);
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
  }
  if (threadIdx.x == 0) power[blockIdx.x] = sum / count;
}
void run(const float* sound, float* power, int count, int channels) {
  loudness<<<channels, 128>>>(sound, power, count, channels);
}
