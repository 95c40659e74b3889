//@case {"kernel": "gradient"}
struct Size { unsigned x, y, z; };
__global__ void gradient(const float* __restrict__ f, float* __restrict__ g, Size n) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned plane = n.x * n.y;
  if (t >= plane * n.z) return;
  const unsigned x = t % n.x;  //@ instructions=4000
  const unsigned y = (t / n.x) % n.y;  //@ instructions=8000
  const unsigned z = t / plane;  //@ instructions=4000
  g[t] = (x > 0 ? f[t] - f[t - 1] : 0.0f) + (y > 0 ? f[t] - f[t - n.x] : 0.0f) + (z > 0 ? f[t] - f[t - plane] : 0.0f);
}
