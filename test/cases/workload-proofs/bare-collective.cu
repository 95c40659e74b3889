// Reductions, scans, searches, sparse and matrix kernels of the corpus without a launch.
#include "proof.h"
#include "../workloads/bare-sum-scalar/sum.cu"
#include "../workloads/bare-block-sums/block_sums.cu"
#include "../workloads/bare-scan-warp/warp_scan.cu"
#include "../workloads/bare-histogram/histo.cu"
#include "../workloads/bare-gather/gather.cu"
#include "../workloads/bare-scatter-permutation/permute.cu"
#include "../workloads/bare-spmv-csr/spmv_csr.cu"
#include "../workloads/bare-lower-bound/lookup.cu"
#include "../workloads/bare-odd-even/odd_even.cu"
#include "../workloads/bare-minmax/minmax.cu"
#include "../workloads/bare-argmax/argmax.cu"
#include "../workloads/bare-gemv/gemv.cu"
#include "../workloads/bare-int8-gemm/gemm_s8.cu"
int main() {
  int n = 900;
  { auto x = floats(n); double s = 0; for (float v : x) s += v; float* r = dev(std::vector<float>{0}); sum_all<<<3, 256>>>(dev(x), r, n); same("sum", host(r, 1), std::vector<double>{s}); }
  { auto x = whole<int>(n, -9, 9); std::vector<int> w(4); for (int i = 0; i < n; i++) w[i / 256] += x[i]; int* y = room<int>(4); blockSums<<<4, 128, 512>>>(dev(x), y, n); same("blocks", host(y, 4), w, 0); }
  { auto x = whole<uint32_t>(n, 0, 9), w = x; for (int i = 1; i < n; i++) if (i % 32) w[i] += w[i - 1]; auto* d = dev(x); warp_inclusive_scan<<<8, 128>>>(d, n); same("scan", host(d, n), w, 0); }
  { auto x = floats(n, 0, 1); std::vector<unsigned> w(30); for (float v : x) w[std::min(29, (int)(v * 30))]++; auto* b = dev(std::vector<unsigned>(30, 0)); histo_global<<<2, 128>>>(dev(x), n, b, 30); same("bins", host(b, 30), w, 0); }
  { int I = 12, W = 40, S = 9; auto s = floats(S * W); auto ix = whole<int>(I, -2, 11); std::vector<float> w; for (int i : ix) for (int j = 0; j < W; j++) w.push_back(i < 0 || i >= S ? 0 : s[i * W + j]); float* d = room<float>(I * W); gather_rows<float, int><<<I, 32>>>(dev(s), dev(ix), d, I, W, S); same("gather", host(d, I * W), w, 0); }
  { auto x = floats(n), w = x; std::vector<int> p(n); for (int i = 0; i < n; i++) { p[i] = i * 7 % n; w[p[i]] = x[i]; } float* y = room<float>(n); permute<<<8, 128>>>(dev(x), dev(p), y, n); same("permute", host(y, n), w, 0); }
  { int R = 70, C = 50; std::vector<int> ptr{0}, col; std::vector<double> v, x(C), y(R), w; for (int r = 0; r < R; r++) { for (unsigned j = bits() % 6; j--;) { col.push_back(bits() % C); v.push_back(uniform(-1, 1)); } ptr.push_back(col.size()); } for (auto& a : x) a = uniform(-1, 1); for (auto& a : y) a = uniform(-1, 1); w = y; for (int r = 0; r < R; r++) for (int j = ptr[r]; j < ptr[r + 1]; j++) w[r] += v[j] * x[col[j]]; double* d = dev(y); spmv_csr_kernel<<<1, 128>>>(R, dev(ptr), dev(col), dev(v), dev(x), d); same("spmv", host(d, R), w, 1e-10); }
  { auto k = whole<int>(200, 0, 500), q = whole<int>(n, -10, 510); std::sort(k.begin(), k.end()); std::vector<int> w; for (int v : q) w.push_back(std::lower_bound(k.begin(), k.end(), v) - k.begin()); int* o = room<int>(n); lowerBound<<<8, 128>>>(dev(k), 200, dev(q), o, n); same("lower", host(o, n), w, 0); }
  { auto a = whole<short>(77, -99, 99), w = a; std::sort(w.begin(), w.end()); auto* d = dev(a); for (int i = 0; i < 77; i++) odd_even_step<<<1, 64>>>(d, 77, i % 2); same("sorted", host(d, 77), w, 0); }
  { int R = 5, C = 300; auto x = floats(R * C); float *a = room<float>(R), *b = room<float>(R), *c = room<float>(R); row_stats<<<R, 128>>>(dev(x), a, b, c, C); std::vector<float> l, h, m; for (int r = 0; r < R; r++) { auto f = x.begin() + r * C; l.push_back(*std::min_element(f, f + C)); h.push_back(*std::max_element(f, f + C)); double s = 0; for (int i = 0; i < C; i++) s += f[i] / C; m.push_back(s); } same("lo", host(a, R), l, 0); same("hi", host(b, R), h, 0); same("mean", host(c, R), m); }
  { int R = 4, C = 700; auto x = floats(R * C); int* o = room<int>(R); argmax_rows<256><<<R, 256>>>(dev(x), o, C); std::vector<int> w; for (int r = 0; r < R; r++) w.push_back(std::max_element(x.begin() + r * C, x.begin() + (r + 1) * C) - x.begin() - r * C); same("argmax", host(o, R), w, 0); }
  { int M = 30, N = 75; auto A = floats(M * N), x = floats(N); std::vector<float> w(M); for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) w[i] += A[i * N + j] * x[j]; float* y = room<float>(M); gemv_warp<<<8, dim3(32, 4)>>>(dev(A), dev(x), y, M, N); same("gemv", host(y, M), w); }
  { int M = 20, N = 17, K = 8; auto a = whole<int8_t>(M * K * 4, -128, 128), b = whole<int8_t>(N * K * 4, -128, 128); std::vector<int> w(M * N); for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) for (int k = 0; k < K * 4; k++) w[i * N + j] += a[i * K * 4 + k] * b[j * K * 4 + k]; int* c = room<int>(M * N); gemm_s8_nt<<<dim3(2, 3), dim3(16, 8)>>>((int*)dev(a), (int*)dev(b), c, M, N, K); same("gemm", host(c, M * N), w, 0); }
}
