#include "proof.h"
#include "pool.cu"
int main() {
  int B = 2, C = 3, H = 13, W = 11, K = 3, S = 2, P = 1, oh = (H + 2 * P - K) / S + 1, ow = (W + 2 * P - K) / S + 1; auto x = floats(B * C * H * W); size_t n = B * C * oh * ow;
  float* y = room<float>(n); int* at = room<int>(n); MaxPool2d(dev(x), y, at, B, C, H, W, K, S, P); std::vector<float> w; std::vector<int> wa;
  for (int p = 0; p < B * C; p++) for (int i = 0; i < oh; i++) for (int j = 0; j < ow; j++) { float m = -1e30; int a = -1; for (int u = 0; u < K; u++) for (int v = 0; v < K; v++) { int h = i * S - P + u, c = j * S - P + v; if (h >= 0 && c >= 0 && h < H && c < W && x[p * H * W + h * W + c] > m) m = x[p * H * W + h * W + c], a = h * W + c; } w.push_back(m); wa.push_back(a); }
  same("y", host(y, n), w, 0); same("at", host(at, n), wa, 0);
}
