//@case {"kernel": "echo"}
__global__ void echo(const float* lags, const float* past, float* out, unsigned slots, unsigned head, unsigned count) {
  const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (unsigned lag = count; lag > 0; --lag)
    sum += lags[lag] * past[(head + lag) % slots];  //@ instructions=9000
  out[at] = sum;
}
