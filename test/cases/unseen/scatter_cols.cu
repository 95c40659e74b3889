// Re-order from [token][head][dim] to [head][dim][token]; addresses by small functors.
struct In { const float* p; int H, D; __device__ float operator()(int t, int h, int d) const { return p[(t * H + h) * D + d]; } };
struct Out { float* p; int D, T; __device__ float& operator()(int h, int d, int t) const { return p[(h * D + d) * T + t]; } };
__global__ void to_columns(In in, Out out, int T, int H, int D) {
  int t = blockIdx.x, h = threadIdx.y, d = threadIdx.x;
  if (t < T && h < H && d < D) out(h, d, t) = in(t, h, d);
}
void toColumns(const float* in, float* out, int T, int H, int D) {
  to_columns<<<T, dim3(D, H)>>>(In{in, H, D}, Out{out, D, T}, T, H, D);
}
