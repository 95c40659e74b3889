//@case {"kernel": "ladder", "launches": [{"kernel": "ladder", "blocks": 4, "threadsPerBlock": 128, "times": 1}]}
struct Calibration { int gain, bias; };
__device__ int mixed(const Calibration* c, const int* a, int i) { return c->gain * a[i] + c->bias; }
__global__ void ladder(unsigned char* out, const int* a, const int* steps, const Calibration* cal, int n, int levels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int r = 0; r < levels; r++)
    out[r * n + i] = (cal->gain * a[i] + cal->bias) * steps[r] >> 4;  //@ globalLoadRequests=1024
}
