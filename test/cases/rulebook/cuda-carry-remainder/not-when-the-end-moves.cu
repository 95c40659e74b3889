//@case {"kernel": "echo"}
__global__ void echo(const float* lags, const float* past, float* out, int slots, int head, int count) {
  float sum = 0.0f;
  for (int lag = 0; lag < count; ++lag) {
    sum += lags[lag] * past[(head - lag + slots) % slots];  //@ instructions=9000
    if (sum > 100.0f) count--;
  }
  out[threadIdx.x] = sum;
}
