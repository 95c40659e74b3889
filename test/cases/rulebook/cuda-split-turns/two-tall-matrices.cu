//@case {"kernel": "cross", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": []}}, "outputs": {"c": {"dtype": "float32", "shape": [64, 32]}}}, "launches": [{"kernel": "cross", "blocks": 8, "threadsPerBlock": 256, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
template <typename T>
__global__ void cross(const T* left, const T* right, float* c, double* traces, int samples, int rows, int columns) {
  __shared__ float l[16][16], r[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0.f, trace = 0;
#pragma unroll 1
  for (int s0 = 4; s0 < samples; s0 += 16) { //@ instructions=2000000
    l[ty][tx] = left[(s0 + ty) * rows + tx];
    r[ty][tx] = right[(s0 + ty) * columns + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += l[k][ty] * r[k][tx];
    trace = fmaf(l[ty][ty], 0.5f, trace);
    __syncthreads();
  }
  if (ty >= rows || tx >= columns) return;
  c[ty * columns + tx] = -(2.0f * sum) / (samples - 1);
  traces[ty * 16 + tx] = (double)trace + sum;
}
void run(const float* left, const float* right, float* c, double* traces, int samples, int rows, int columns, cudaStream_t stream) {
  cross<float><<<dim3((columns + 15) / 16, (rows + 15) / 16), dim3(16, 16), 0, stream>>>(left, right, c, traces, samples, rows, columns);
}
