//@case {"kernel": "measure"}
struct Ball {
  float x, y, r;
};
__device__ float reach(const Ball& b) { return sqrtf(b.x * b.x + b.y * b.y) + b.r; }
template <typename T>
__device__ __forceinline__ T scaled(T v, float by) {
  return v * by;
}
static __device__ int bin(float v) {
  const int raw = (int)(v * 4.0f);
  return raw & 15;
}
__device__ int twice(float v) {
  const int raw = (int)v;
  return raw < 0 ? -raw : raw;
}
__device__ float counted(float* total, float v) {
  return atomicAdd(total, v);
}
__device__ float shadowed(float v) { return v + bias; }
__global__ void measure(const Ball* balls, const float* in, float* out, int* bins, float bias, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = reach(balls[i]);
  out[i] += scaled<float>(in[i],
                          2.0f);
  bins[i] = bin(in[i]) + twice(in[i]);
  bins[i] += bin(counted(out, 1.0f));
  out[i] += shadowed(in[i]) + scaled(in[i], 3.0f);
}
