//@case {"kernel": "twice", "gpu": "H100 SXM", "spec": {"run": {"kind": "entry", "entry": {"call": "case.cu::run", "arguments": []}}}}
// Doubles every element.
__global__ void twice(float* x, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    x[i] *= 2.0f;  //@ instructions=4096
}

namespace {
// Where it is launched.
// The array may be empty.
template <typename T>
void run(T* x, int n) {
  constexpr int kBlock = 256;
  if (n > 0) twice<<<120, kBlock>>>(x, n);
}
}
