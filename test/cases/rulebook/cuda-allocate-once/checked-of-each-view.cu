//@case {"kernel": "project", "host": 20000}
#define OK(call) do { if ((call) != cudaSuccess) abort(); } while (0)
__global__ void project(const float* points, const float* basis, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = points[2 * i] * basis[0] + points[2 * i + 1] * basis[1];
}
int main() {
  const int n = 1 << 16;
  std::vector<float> p(2 * n), b(2), all(n * 6);
  int v = 0;
  while (v < 6) {
    float *points, *basis, *out;
    OK(cudaMalloc((void**)&points, p.size() * sizeof(float)));
    OK(cudaMalloc((void**)&basis, 2 * sizeof(float)));
    OK(cudaMalloc((void**)&out, n * sizeof(float)));
    OK(cudaMemcpy(points, p.data(), p.size() * sizeof(float), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(basis, b.data(), 2 * sizeof(float), cudaMemcpyHostToDevice));
    project<<<(n + 127) / 128, 128>>>(points, basis, out, n);
    OK(cudaMemcpy(all.data() + v * n, out, n * sizeof(float), cudaMemcpyDeviceToHost));
    OK(cudaFree(points)); OK(cudaFree(basis));
    OK(cudaFree(out));
    b[0] += 1;
    ++v;
  }
}
