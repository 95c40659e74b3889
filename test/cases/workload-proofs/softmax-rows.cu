#include "proof.h"
#include "src/softmax.cu"
int main() {
  int R = 7, C = 300; auto x = floats(R * C, -5, 5); std::vector<float> w(R * C); float* y = room<float>(R * C);
  nn::softmax(dev(x), y, R, C, 128, 0);
  for (int r = 0; r < R; r++) { double z = 0; for (int c = 0; c < C; c++) z += exp(x[r * C + c]); for (int c = 0; c < C; c++) w[r * C + c] = exp(x[r * C + c]) / z; }
  same("y", host(y, R * C), w, 1e-6);
}
