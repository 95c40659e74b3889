//@case {"kernel": "blend"}
struct Light {
  float red, green;
};

__device__ inline Light read(const float* r, const float* g, int at) { return {r[at], g[at]}; }
__device__ inline Light swapped(Light l) { return {l.green, l.red}; }

__global__ void blend(const float* r, const float* g, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const Light here = swapped(read(r, g, i));
    out[i] = 0.25f * here.red + 0.5f * here.green;
  }
}
void run(const float* r, const float* g, float* out, int n) { blend<<<(n + 255) / 256, 256>>>(r, g, out, n); }
