namespace vol {

// A view of a volume, x slowest as the scanner writes it.
template <class T>
struct View {
  T* data;
  int nx, ny, nz;
  __device__ T& at(int x, int y, int z) const { return data[((size_t)x * ny + y) * nz + z]; }
};

__global__ void window_level(View<const float> in, View<float> out, float level, float width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z;
  if (x >= in.nx || y >= in.ny || z >= in.nz) return;
  float v = (in.at(x, y, z) - level) / width + 0.5f;
  out.at(x, y, z) = fminf(fmaxf(v, 0.f), 1.f);
}

}  // namespace vol

void windowLevel(const float* in, float* out, int nx, int ny, int nz, float level, float width) {
  vol::View<const float> i{in, nx, ny, nz};
  vol::View<float> o{out, nx, ny, nz};
  dim3 b(32, 8, 1);
  dim3 g((nx + b.x - 1) / b.x, (ny + b.y - 1) / b.y, nz);
  vol::window_level<<<g, b>>>(i, o, level, width);
}
