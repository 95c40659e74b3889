//@case {"kernel": "scatter"}
__global__ void scatter(const float* x, const int* slots, float* cache, long long tokens, long long width) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;  //@ instructions=9000
  if (i >= tokens * width) return;
  long long token = i / width, d = i % width;
  long long slot = slots[token];
  cache[slot * width + d] = x[i];
}
void run(const float* x, const int* slots, float* cache, long long tokens, long long width) {
  scatter<<<(tokens * width + 255) / 256, 256>>>(x, slots, cache, tokens, width);
}
