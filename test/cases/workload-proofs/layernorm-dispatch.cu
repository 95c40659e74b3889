#include "proof.h"
#include "layernorm.cu"
int main() {
  for (int H : {100, 300, 1500}) {
    int T = 5; auto x = floats(T * H), g = floats(H), b = floats(H); std::vector<float> y(T * H), w(T * H);
    layernorm_host(x.data(), g.data(), b.data(), y.data(), T, H, 1e-5f);
    for (int t = 0; t < T; t++) { double m = 0, v = 0; for (int h = 0; h < H; h++) m += x[t * H + h] / H; for (int h = 0; h < H; h++) v += pow(x[t * H + h] - m, 2) / H;
      for (int h = 0; h < H; h++) w[t * H + h] = (x[t * H + h] - m) / sqrt(v + 1e-5) * g[h] + b[h]; }
    same("y", y, w);
  }
}
