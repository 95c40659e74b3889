//@case {"kernel": "span", "spec": {"run": {"kind": "entry", "entry": {"call": "kernels/case.cu::measure", "arguments": []}}}}
struct Span { float low, high; int count; };
__device__ void take(Span& s, float v) {
  s.low = fminf(s.low, v);
  s.high = fmaxf(s.high, v);
  s.count += v > 0.5f;
}
__global__ void span(const float* x, float* out, int n) {
  __shared__ Span all[256];
  Span s = {1e30f, -1e30f, 0};
  double total = 0.0;
  for (int i = threadIdx.x; i < n; i += 256) {  //@ globalLoadRequests=4000 instructions=40000
    take(s, x[i]);
    total += x[i];
  }
  all[threadIdx.x] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int t = 1; t < 256; ++t) {
      s.low = fminf(s.low, all[t].low);
      s.high = fmaxf(s.high, all[t].high);
      s.count += all[t].count;
    }
    out[0] = s.low;
    out[1] = s.high;
    out[2] = (float)s.count;
  }
  for (int step = 16; step > 0; step /= 2) total += __shfl_down_sync(0xffffffffu, total, step);
  if (threadIdx.x % 32 == 0) out[3 + threadIdx.x / 32] = (float)total;
}
void measure(const float* x, float* out, int n) {
  span<<<1, 256>>>(x, out, n);
}
