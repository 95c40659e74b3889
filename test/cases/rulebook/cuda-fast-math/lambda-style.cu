//@case {"kernel": "norms"}
namespace ops {
__global__ void norms(float* out, const float* in, unsigned rows) {
  unsigned row = threadIdx.y + blockDim.y * blockIdx.x;
  if (row >= rows) return;
  auto load = [&](unsigned c) { return in[row * 32 + c]; };
  float a = load(threadIdx.x);
  float b = fmaxf(a, 1e-6f);
  out[row * 32 + threadIdx.x] = sqrtf(a) / sqrtf(b) / (a + b);  //@ instructions=4000
}
}
