//@case {"kernel": "echo"}
// A member is handed on as it is, and a local pointer is read through the read-only path.
typedef unsigned int word;
struct Ring { const float* data; word size; int turns; };
__device__ float at(const float* base, word place, word size) {
  place %= size;
  return __ldg(base + place);
}
__global__ void echo(Ring ring, const word* delay, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float* line = ring.data + blockIdx.y * ring.size;
  float sum = 0.f;
  for (int t = 0; t < ring.turns; ++t) sum += at(line, i + ring.size - __ldg(delay + t), ring.size);
  out[i] = sum;
}
