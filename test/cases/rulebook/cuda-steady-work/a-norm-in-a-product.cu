//@case {"kernel": "cosine", "launches": []}
__global__ void cosine(const float* a, const float* b, float* out, int n, int m, int d) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= m) return;
  float dot = 0.0f;
  for (int k = 0; k < d; ++k) {
    float length = 0.0f;
    for (int t = 0; t < d; ++t) {
      length += a[i * d + t] * a[i * d + t];  //@ instructions=60000
    }
    const float scale = rsqrtf(length);  //@ instructions=900
    dot += a[i * d + k] * scale * b[j * d + k];  //@ instructions=3000
  }
  out[i * m + j] = dot;
}

void run(const float* a, const float* b, float* out, int n, int m, int d) {
  cosine<<<dim3((m + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(a, b, out, n, m, d);
}
