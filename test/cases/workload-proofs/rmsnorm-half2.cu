#include "proof.h"
#include "rms_norm.cu"
int main() {
  int T = 6, D = 130; auto x = floats(T * D), g = floats(D); std::vector<half> hx(x.begin(), x.end()), hg(g.begin(), g.end()); half* y = room<half>(T * D);
  rmsNorm(y, dev(hx), dev(hg), T, D, 1e-5f); std::vector<float> w(T * D), got; for (half h : host(y, T * D)) got.push_back(__half2float(h));
  for (int t = 0; t < T; t++) { double s = 0; for (int d = 0; d < D; d++) s += pow((float)hx[t * D + d], 2); for (int d = 0; d < D; d++) w[t * D + d] = (float)hx[t * D + d] / sqrt(s / D + 1e-5) * (float)hg[d]; }
  same("y", got, w, 2e-3);
}
