//@case {"kernel": "smooth"}
struct Pose {
  float turn[4];
  float place[4];
};
__global__ void smooth(const float* x, float* y) {
  __shared__ Pose window[130];
  float* words = reinterpret_cast<float*>(window);
  for (int w = threadIdx.x; w < 130 * 8; w += 128) words[w] = x[blockIdx.x * 1024 + w];
  __syncthreads();
  const Pose& before = window[threadIdx.x];
  const Pose& after = window[threadIdx.x + 2];
  float sum = 0.0f;
  for (int i = 0; i < 4; ++i) sum += before.turn[i] * after.turn[i];  //@ sharedWavefronts=4096 sharedWavefrontsIdeal=512
  y[blockIdx.x * 128 + threadIdx.x] = sum;
}
