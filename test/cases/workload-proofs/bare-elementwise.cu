// The elementwise kernels of the corpus without a launch.
#include "proof.h"
#include "../workloads/bare-relu/relu.cu"
#include "../workloads/bare-accumulate/axpy.cu"
#include "../workloads/bare-brightness/brightness.cu"
#include "../workloads/bare-lut/lut.cu"
#include "../workloads/bare-strided/scale_rows.cu"
#include "../workloads/bare-in-range/in_range.cu"
#include "../workloads/bare-complex/cmul.cu"
#include "../workloads/bare-unpack-bits/unpack.cu"
#include "../workloads/bare-adam/adam.cu"
#include "../workloads/bare-xorshift/rng.cu"
int main() {
  int n = 700;
  { auto x = floats(n); float* y = room<float>(n); relu<<<3, 256>>>(dev(x), y, n); auto w = x; for (auto& v : w) v = std::max(v, 0.f); same("relu", host(y, n), w, 0); }
  { auto fx = floats(n), fy = floats(n); std::vector<double> x(fx.begin(), fx.end()), y(fy.begin(), fy.end()), w = y; double* d = dev(y); axpy_inplace<<<2, 128>>>(n, 1.5, dev(x), d); for (int i = 0; i < n; i++) w[i] += 1.5 * x[i]; same("axpy", host(d, n), w, 1e-12); }
  { int W = 41, H = 17; auto x = whole<u8>(W * H, 0, 256); u8* d = dev(x); adjust<<<dim3(3, 2), dim3(16, 16)>>>(d, W, H, 1.2f, 10); std::vector<int> w; for (int v : x) { float f = 1.2f * (v - 128) + 128 + 10; w.push_back(f < 0 ? 0 : f > 255 ? 255 : (int)f); } auto g = host(d, W * H); for (int i = 0; i < W * H; i++) if (abs(g[i] - w[i]) > 1) return 1; }
  { int P = 300; auto x = whole<uint8_t>(3 * P, 0, 256), l = whole<uint8_t>(768, 0, 256); std::vector<uint8_t> w; for (int i = 0; i < 3 * P; i++) w.push_back(l[i % 3 * 256 + x[i]]); uint8_t* y = room<uint8_t>(3 * P); apply_lut<<<3, 128>>>(dev(x), y, dev(l), P); same("lut", host(y, 3 * P), w, 0); }
  { int R = 20, C = 30, L = 35; auto a = floats(R * L), s = floats(R), w = a; for (int r = 0; r < R; r++) for (int c = 0; c < C; c++) w[r * L + c] *= s[r]; float* d = dev(a); scaleRows<<<dim3(2, 3), dim3(16, 8)>>>(d, dev(s), R, C, L); same("scale", host(d, R * L), w, 0); }
  { auto x = whole<int>(n, -50, 50); std::vector<int> w, g; for (int v : x) w.push_back(v >= -5 && v < 9); bool* m; cudaMalloc(&m, n); in_range<<<6, 128>>>(dev(x), m, n, -5, 9); for (auto b : host((unsigned char*)m, n)) g.push_back(b); same("mask", g, w, 0); }
  { auto f = floats(4 * n); std::vector<cuFloatComplex> a(n), b(n); std::vector<float> g, w; for (int i = 0; i < n; i++) { a[i] = {f[4 * i], f[4 * i + 1]}; b[i] = {f[4 * i + 2], f[4 * i + 3]}; w.push_back(0.5f * (a[i].x * b[i].x - a[i].y * b[i].y)); w.push_back(0.5f * (a[i].x * b[i].y + a[i].y * b[i].x)); } auto* d = dev(a); pointwise_mul_scaled<<<2, 64>>>(d, dev(b), n, 0.5f); for (auto c : host(d, n)) { g.push_back(c.x); g.push_back(c.y); } same("cmul", g, w, 1e-6); }
  { auto b = whole<unsigned>(9, 0, 1 << 28); half2* o = room<half2>(9 * 16); unpack_signs<<<9, 16>>>(dev(b), o, 9); std::vector<float> g, w; for (auto h : host(o, 144)) { g.push_back(__half2float(h.x)); g.push_back(__half2float(h.y)); } for (int i = 0; i < 288; i++) w.push_back(b[i / 32] >> (i % 32) & 1 ? 1 : -1); same("signs", g, w, 0); }
  { auto p = floats(n), g = floats(n), m = floats(n), v = floats(n, 0, 1), w = p; for (int i = 0; i < n; i++) { double d = g[i] + 0.01 * p[i], a = 0.9 * m[i] + 0.1 * d, b = 0.999 * v[i] + 0.001 * d * d; w[i] -= 0.1 * (a / (1 - pow(0.9, 3))) / (sqrt(b / (1 - pow(0.999, 3))) + 1e-8); } float* d = dev(p); adam_step<<<3, 256>>>(d, dev(g), dev(m), dev(v), 0.1f, 0.9f, 0.999f, 1e-8f, 0.01f, 3, n); same("adam", host(d, n), w, 1e-4); }
  { int T = 50, K = 6; std::vector<RngState> s(T); for (auto& q : s) q = {bits() + 1, bits(), bits(), bits()}; std::vector<float> w(T * K); for (int t = 0; t < T; t++) { auto q = s[t]; for (int k = 0; k < K; k++) { uint32_t a = q.x ^ (q.x << 11); q.x = q.y; q.y = q.z; q.z = q.w; q.w = q.w ^ (q.w >> 19) ^ a ^ (a >> 8); w[k * T + t] = (q.w >> 8) / 16777216.0f; } } float* y = room<float>(T * K); fill_uniform<<<1, 64>>>(dev(s), y, T, K); same("uniform", host(y, T * K), w, 0); }
}
