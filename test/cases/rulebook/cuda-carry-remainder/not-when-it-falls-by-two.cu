//@case {"kernel": "echo"}
__global__ void echo(const float* lags, const float* past, float* out, int slots, int head, int count) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int lag = 0; lag < count; ++lag)
    sum += lags[lag] * past[(head + at - 2 * lag + slots) % slots];  //@ instructions=9000
  out[at] = sum;
}
