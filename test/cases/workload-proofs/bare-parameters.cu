// Kernels of the corpus whose parameters are what is special, and tiles that are held back.
#include "proof.h"
#include "../workloads/bare-type-macros/damping.cu"
#include "../workloads/bare-pointer-names/mix.cu"
#include "../workloads/bare-written-pitch/widen.cu"
#include "../workloads/bare-column-major/outer.cu"
#include "../workloads/bare-held-tiles/project.cu"
int main() {
  int n = 700;
  { auto x = floats(n), w = x; auto k = whole<int>(n, 0, 10); for (int i = 0; i < n; i++) if (k[i] > 4) w[i] *= 0.25f; float* y = room<float>(n); damp<<<3, 256>>>(dev(x), y, dev(k), 0.25f, n); same("damp", host(y, n), w, 0); }
  { auto l = floats(n), r = floats(n), w = l; std::vector<double> g{0.75, -1.5}; for (int i = 0; i < n; i++) w[i] = (float)(g[0] * l[i] + g[1] * r[i]); float* y = room<float>(n); mix_down<<<2, 64>>>(dev(l), dev(r), y, dev(g), n); same("mix", host(y, n), w, 1e-6); }
  { int W = 37, H = 21, P = 48; auto x = whole<short>(W * H, -500, 500); auto w = floats(P * H); float* y = dev(w); for (int r = 0; r < H; r++) for (int c = 0; c < W; c++) w[r * P + c] = 0.5f * x[r * W + c]; widen<<<dim3(3, 2), dim3(16, 16)>>>(dev(x), y, W, H, P, 0.5f); same("widen", host(y, P * H), w, 0); }
  { int M = 29, N = 18, L = 33; auto fx = floats(M), fy = floats(N), fa = floats(L * N); std::vector<double> x(fx.begin(), fx.end()), y(fy.begin(), fy.end()), a(fa.begin(), fa.end()), w = a; for (int j = 0; j < N; j++) for (int i = 0; i < M; i++) w[i + j * L] += 1.25 * x[i] * y[j]; double* d = dev(a); ger<<<dim3(2, 2), dim3(16, 16)>>>(M, N, 1.25, dev(x), dev(y), d, L); same("ger", host(d, L * N), w, 1e-12); }
  { int M = 128, N = 256, K = 24; auto a = floats(M * K), b = floats(K * N), w = floats(M * N); for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) { double v = 0; for (int k = 0; k < K; k++) v += a[i * K + k] * b[k * N + j]; w[i * N + j] = (float)v; } float* y = room<float>(M * N); project<<<dim3(3, 2), dim3(16, 16)>>>(dev(a), dev(b), y, M, N, K); same("project", host(y, M * N), w, 1e-5); }
}
