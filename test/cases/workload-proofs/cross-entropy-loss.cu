#include "proof.h"
#include "loss.cu"
int main() { int N = 20, C = 77; auto x = floats(N * C, -3, 3); auto y = whole<int>(N, 0, C); y[3] = -100; float *l = room<float>(N), *g = room<float>(N * C); cross_entropy(dev(x), dev(y), l, g, N, C); std::vector<float> wl(N), wg(N * C); for (int n = 0; n < N; n++) if (y[n] >= 0) { double z = 0; for (int c = 0; c < C; c++) z += exp(x[n * C + c]); wl[n] = log(z) - x[n * C + y[n]]; for (int c = 0; c < C; c++) wg[n * C + c] = (exp(x[n * C + c]) / z - (c == y[n])) / N; } same("loss", host(l, N), wl); same("grad", host(g, N * C), wg, 1e-5); }
