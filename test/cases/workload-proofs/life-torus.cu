#include "proof.h"
#include "life.cu"
int main() { int W = 40, H = 23; auto b = whole<cell>(W * H, 0, 2), w = b; for (int t = 0; t < 5; t++) { auto c = w; for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) { int n = 0; for (int i = -1; i < 2; i++) for (int j = -1; j < 2; j++) if (i || j) n += c[(y + i + H) % H * W + (x + j + W) % W]; w[y * W + x] = n == 3 || (n == 2 && c[y * W + x]); } }
  cell* d = dev(b); life_play(d, W, H, 5); same("board", host(d, W * H), w, 0); }
