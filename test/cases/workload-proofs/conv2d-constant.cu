#include "proof.h"
#include "conv.cu"
int main() {
  int W = 37, H = 21, F = 5; auto im = floats(W * H), f = floats(F * F); std::vector<float> y(W * H), w(W * H);
  if (!convolve(im.data(), y.data(), W, H, f.data(), F)) return 1;
  for (int r = 0; r < H; r++) for (int c = 0; c < W; c++) { double s = 0; for (int a = 0; a < F; a++) for (int b = 0; b < F; b++) { int yy = r + a - 2, xx = c + b - 2; if (yy >= 0 && xx >= 0 && yy < H && xx < W) s += im[yy * W + xx] * f[a * F + b]; } w[r * W + c] = s; }
  same("y", y, w);
}
