//@case {"kernel": "echo"}
__global__ void echo(const float* in, float* out, float rate, int n, int taps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float left = 0.0f, right = 0.0f;
  if (i < n)
    for (int t = 1; t <= taps; t += 2) {
      const float age = rate * static_cast<float>(t) / 48000.0f;
      left += in[i - t] * expf(-age);  //@ instructions=80000
      right += in[i + t] * std::pow(0.5, double(t - 1));  //@ instructions=60000
    }
  out[i] = left + right;
}
