//@case {"kernel": "develop"}
__global__ void expose(const float* frame, float2* linear, float gain, int pairs) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= pairs) return;
  const int plane = blockIdx.y;
  linear[plane * pairs + p] = make_float2(frame[p] * gain, frame[p + pairs]);  //@ globalStoreRequests=600 globalStoreSectors=9000
}

__global__ void develop(const float2* linear, float* print, float gain, int n) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < n) {
    const float2 v = linear[blockIdx.y * n + p];  //@ globalLoadRequests=600 globalLoadSectors=9000
    print[blockIdx.y * n + p] = v.x + gain * v.y;  //@ globalStoreRequests=600 globalStoreSectors=4000
  }
}

void run(const float* frame, float* print, float exposure, float gamma, int pairs) {
  float2* linear = nullptr;
  cudaMalloc(&linear, sizeof(float2) * 3 * pairs);
  dim3 grid((pairs + 255) / 256, 3);
  expose<<<grid, 256>>>(frame, linear, exposure, pairs);
  develop<<<grid, 256>>>(linear, print, gamma, pairs);
  cudaFree(linear);
}
