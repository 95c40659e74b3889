//@case {"kernel": "echo"}
__global__ void echo(const float* lags, const float* past, float* out, long long slots, long long head, unsigned count) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (unsigned lag = 0; lag < count; ++lag)
    sum += lags[lag] * past[(head - lag) % slots + slots];  //@ instructions=9000
  out[at] = sum;
}
