//@case {"kernel": "laplace"}
struct Extent { int x, y; };

__global__ void laplace(const float* phi, float* out, Extent L, float mass) {
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= L.x * L.y) return;
  const int x = s % L.x;  //@ instructions=9000
  const int y = s / L.x;
  const int far = (x + 3) % L.x;
  float sum = phi[y * L.x + (x + 1) % L.x] + phi[y * L.x + (x + L.x - 1) % L.x];
  sum += phi[(y + 1) % L.y * L.x + x] + phi[((y - 1 + L.y) % L.y) * L.x + x];
  out[s] = (4.0f + mass) * phi[s] - sum + phi[far];
}
