//@case {"kernel": "echo"}
__global__ void echo(const float* lags, const float* past, float* out, int slots) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int lag = 0; lag < slots; ++lag)
    sum += lags[lag] * past[(at + slots - lag) % slots];  //@ instructions=9000
  out[at] = sum;
}
