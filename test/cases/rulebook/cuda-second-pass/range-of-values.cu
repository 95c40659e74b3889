//@case {"kernel": "span", "spec": {"run": {"kind": "entry", "entry": {"call": "kernels/case.cu::measure", "arguments": []}}}}
struct Span { float low, high; int count; };
__device__ void take(Span& s, float v) {
  s.low = fminf(s.low, v);
  s.high = fmaxf(s.high, v);
  s.count += v > 0.5f;
}
__global__ void span(const float* x, float* out, int n) {
  __shared__ Span all[256];
  __shared__ float totals[256];
  Span s = {1e30f, -1e30f, 0};
  float total = 0.0f;
  for (int i = threadIdx.x; i < n; i += 256) {  //@ globalLoadRequests=4000 instructions=40000
    take(s, x[i]);
    total += x[i];
  }
  all[threadIdx.x] = s;
  totals[threadIdx.x] = total;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int t = 1; t < 256; ++t) {
      s.low = fminf(s.low, all[t].low);
      s.high = fmaxf(s.high, all[t].high);
      s.count += all[t].count;
      total += totals[t];
    }
    out[0] = s.low;
    out[1] = s.high;
    out[2] = (float)s.count;
    out[3] = total / n;
  }
}
void measure(const float* x, float* out, int n) {
  span<<<1, 256>>>(x, out, n);
}
