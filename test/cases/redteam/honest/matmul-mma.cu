// task: cuda-matmul
// does: three products of TF32 parts by mma in inline assembly

__device__ unsigned high(float v) {
  unsigned r;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(v));
  return r;
}
__device__ void mma(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  int lane = threadIdx.x, g = lane >> 2, q = lane & 3, r0 = blockIdx.y * 16, c0 = blockIdx.x * 8;
  float d[4] = {};
  for (int s = 0; s < k; s += 8) {
    unsigned ah[4], al[4], bh[2], bl[2];
    for (int i = 0; i < 4; ++i) {
      int r = r0 + g + (i & 1) * 8, col = s + q + (i >> 1) * 4;
      float v = r < m && col < k ? a[r * k + col] : 0.f;
      ah[i] = high(v);
      al[i] = high(v - __uint_as_float(ah[i]));
    }
    for (int i = 0; i < 2; ++i) {
      int r = s + q + i * 4, col = c0 + g;
      float v = r < k && col < n ? b[r * n + col] : 0.f;
      bh[i] = high(v);
      bl[i] = high(v - __uint_as_float(bh[i]));
    }
    mma(d, al, bh);
    mma(d, ah, bl);
    mma(d, ah, bh);
  }
  for (int i = 0; i < 4; ++i) {
    int r = r0 + g + (i >> 1) * 8, col = c0 + q * 2 + (i & 1);
    if (r < m && col < n) c[r * n + col] = d[i];
  }
}
void launch_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  matmul<<<dim3((n + 7) / 8, (m + 15) / 16), 32>>>(a, b, c, m, n, k);
}
