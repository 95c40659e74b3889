#include "proof.h"
#include "black_scholes.cu"
int main() { int n = 500; auto s = floats(n, 5, 30), x = floats(n, 1, 100), t = floats(n, 0.25, 10); float *c = room<float>(n), *p = room<float>(n); black_scholes(c, p, dev(s), dev(x), dev(t), 0.02f, 0.3f, n); std::vector<float> wc, wp;
  auto N = [](double d) { return 0.5 * erfc(-d / sqrt(2.0)); }; for (int i = 0; i < n; i++) { double d1 = (log(s[i] / (double)x[i]) + (0.02 + 0.045) * t[i]) / (0.3 * sqrt(t[i])), d2 = d1 - 0.3 * sqrt(t[i]), e = exp(-0.02 * t[i]); wc.push_back(s[i] * N(d1) - x[i] * e * N(d2)); wp.push_back(x[i] * e * N(-d2) - s[i] * N(-d1)); }
  same("call", host(c, n), wc, 1e-4); same("put", host(p, n), wp, 1e-4); }
