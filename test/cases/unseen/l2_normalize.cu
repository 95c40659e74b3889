namespace embed {
// scale every vector to unit length, in place
__global__ void normalize_vectors(float* __restrict__ v, int count, int dim) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count) { return; }
  float* p = &v[id * dim];
  float norm = 0.0f;
  for (int k = 0; k < dim; k++) { norm = fmaf(p[k], p[k], norm); }
  norm = sqrtf(norm) + 1e-12f;
  for (int k = 0; k < dim; k++) { p[k] = p[k] / norm; }
}
void normalize(float* v, int count, int dim) {
  constexpr int kThreads = 192;
  normalize_vectors<<<(count + kThreads - 1) / kThreads, kThreads>>>(v, count, dim);
}
}
