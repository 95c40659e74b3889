//@case {"kernel": "attend", "launches": [{"blocks": 4, "threadsPerBlock": 128, "registersPerThread": 32, "sharedBytes": 0, "footprintBytes": 0, "times": 1, "bound": {"gpu": "A100 40GB SXM", "nanoseconds": 1000, "terms": {}, "binding": "latency"}}]}
// The greatest score and the sum of a row are made by one thread, the exponentials on the way.
__global__ void attend(const float* score, const int* lens, float* out, int most) {
  extern __shared__ float e[];
  __shared__ float top, sum;
  int row = blockIdx.x;
  int length = lens[row];
  for (int t = threadIdx.x; t < length; t += blockDim.x) e[t] = score[row * most + t];
  __syncthreads();
  if (threadIdx.x == 0) {
    top = -1e30f;
    for (int t = 0; t < length; ++t) top = fmaxf(top, e[t]); //@ instructions=4000
    sum = 0.f; for (int t = 0; t < length; ++t) { e[t] = expf(e[t] - top); sum += e[t]; } //@ instructions=9000
  }
  __syncthreads();
  for (int t = threadIdx.x; t < length; t += blockDim.x) out[row * most + t] = e[t] / sum;
}
void run(const float* score, const int* lens, float* out, int rows, int most) {
  attend<<<rows, 128, most * sizeof(float)>>>(score, lens, out, most);
}
