// task: cuda-records
// does: keeps the structures in shared memory

struct Track {
  const float* recorded;
  float gain;
  int samples;
};

__global__ void mix(const Track* all, float* mixed, int tracks, int longest) {
  __shared__ Track kept[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int first = 0; first < tracks; first += 128) {
    __syncthreads();
    if (first + threadIdx.x < tracks) kept[threadIdx.x] = all[first + threadIdx.x];
    __syncthreads();
    const int count = min(128, tracks - first);
    for (int k = 0; k < count; ++k)
      if (i < kept[k].samples && i < longest) sum += kept[k].gain * kept[k].recorded[i];
  }
  if (i < longest) mixed[i] = sum;
}
