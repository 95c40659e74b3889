//@case {"kernel": "echo"}
#define SPAN 8
__device__ float loudness(float x, float scale) { return logf(1.0f + fabsf(x) * scale) * expf(-x * x); }  //@ instructions=90000
template <typename T>
__global__ void echo(const T* in, T* out, float scale, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    T sum = 0;
    for (int back = 1; back <= SPAN; ++back) {
      const int at = i - back;
      sum += loudness(in[at < 0 ? 0 : at], scale) / back;  //@ instructions=9000
    }
    out[i] = sum;
  }
}
void run(const float* in, float* out, float scale, int n) { echo<float><<<(n + 255) / 256, 256>>>(in, out, scale, n); }
