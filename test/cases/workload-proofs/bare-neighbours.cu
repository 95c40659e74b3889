// The stencils, filters and image kernels of the corpus without a launch.
#include "proof.h"
#include "../workloads/bare-jacobi5/stencil.cu"
#undef AT
#include "../workloads/bare-stencil25/laplacian.cu"
#undef R
#include "../workloads/bare-conv1d-taps/fir.cu"
#include "../workloads/bare-box-blur/blur.cu"
#include "../workloads/bare-normals/normals.cu"
int main() {
  { int X = 37, Y = 20; std::vector<double> a(X * Y), w(X * Y, 0.0); for (auto& v : a) v = uniform(-1, 1); for (int y = 1; y < Y - 1; y++) for (int x = 1; x < X - 1; x++) { int i = y * X + x; w[i] = 0.2 * (a[i] + a[i - 1] + a[i + 1] + a[i - X] + a[i + X]); } double* b = dev(std::vector<double>(X * Y, 0.0)); jacobi5<<<dim3(3, 3), dim3(16, 8)>>>(dev(a), b, X, Y); same("jacobi", host(b, X * Y), w, 1e-12); }
  { int X = 45, Y = 19, Z = 12; auto in = floats(X * Y * Z); float c[5] = {-2.8f, 1.6f, -0.2f, 0.02f, -0.001f}; cudaMemcpyToSymbol(coeff, c, sizeof c); std::vector<float> w(X * Y * Z); for (int z = 4; z < Z - 4; z++) for (int y = 4; y < Y - 4; y++) for (int x = 4; x < X - 4; x++) { int i = (z * Y + y) * X + x; double v = 3 * c[0] * in[i]; for (int k = 1; k < 5; k++) v += c[k] * ((double)in[i - k] + in[i + k] + in[i - k * X] + in[i + k * X] + in[i - k * X * Y] + in[i + k * X * Y]); w[i] = v; } float* o = dev(std::vector<float>(X * Y * Z, 0.f)); laplacian25<32, 8><<<dim3(2, 3), dim3(32, 8)>>>(o, dev(in), X, Y, Z); same("laplacian", host(o, X * Y * Z), w); }
  { int n = 500; auto x = floats(n + 20), t = floats(21); cudaMemcpyToSymbol(h, t.data(), 84); std::vector<float> w(n); for (int i = 0; i < n; i++) { double s = 0; for (int k = 0; k < 21; k++) s += t[k] * x[i + 20 - k]; w[i] = s; } float* y = room<float>(n); fir<<<4, 128>>>(dev(x), y, n); same("fir", host(y, n), w); }
  { int w0 = 50, h0 = 37; auto x = floats(w0 * h0); std::vector<float> w; for (int y = 0; y < h0; y++) for (int c = 0; c < w0; c++) { double s = 0; int k = 0; for (int i = -2; i < 3; i++) for (int j = -2; j < 3; j++) if (y + i >= 0 && y + i < h0 && c + j >= 0 && c + j < w0) s += x[(y + i) * w0 + c + j], k++; w.push_back(s / k); } float* o = room<float>(w0 * h0); boxblur<<<dim3(4, 3), dim3(16, 16)>>>(dev(x), o, w0, h0); same("blur", host(o, w0 * h0), w); }
  { int w0 = 20, h0 = 11; auto x = floats(w0 * h0); auto* o = room<float3>(w0 * h0); heightfield_normals<<<dim3(2, 2), dim3(16, 8)>>>(dev(x), o, w0, h0, 0.5f); auto g = host(o, w0 * h0); std::vector<float> len, sl, wl, one(w0 * h0, 1); for (int i = 0; i < w0 * h0; i++) { len.push_back(g[i].x * g[i].x + g[i].y * g[i].y + g[i].z * g[i].z); int c = i % w0; int a = c ? i - 1 : i, b = c < w0 - 1 ? i + 1 : i; sl.push_back(-g[i].x / g[i].z); wl.push_back((x[b] - x[a]) / ((b - a) * 0.5f)); } same("length", len, one); same("slope", sl, wl, 1e-3); }
}
