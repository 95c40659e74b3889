//@case {"kernel": "gate"}
template <int kThreads>
__global__ void gate(float* x, const float* weight, float* pooled, int channels, int plane) {
  float* image = x + (size_t)blockIdx.x * channels * plane;
  const int tid = threadIdx.x;
  for (int c = tid; c < channels; c += kThreads) {
    float sum = 0.0f;
    for (int p = 0; p < plane; ++p) sum += image[(size_t)c * plane + p];  //@ globalLoadSectors=33000 globalLoadSectorsIdeal=5000
    pooled[blockIdx.x * channels + c] = sum;
    for (int p = 0; p < plane; ++p) image[(size_t)c * plane + p] *= sum * weight[c];  //@ globalStoreSectors=33000 globalStoreSectorsIdeal=5000
  }
}
void run(float* x, const float* weight, float* pooled, int images, int channels, int plane) {
  gate<128><<<images, 128>>>(x, weight, pooled, channels, plane);
}
