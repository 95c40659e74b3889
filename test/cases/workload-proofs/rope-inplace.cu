#include "proof.h"
#include "rope.cu"
int main() { int B = 2, S = 5, H = 7, D = 32; auto q = floats(B * S * H * D), w = q; auto pos = whole<int>(B * S, 0, 40); for (int t = 0; t < B * S; t++) for (int h = 0; h < H; h++) for (int i = 0; i < D / 2; i++) { double a = pos[t] * pow(10000.0, -2.0 * i / D); float* v = &w[(t * H + h) * D]; double x = v[i], y = v[i + D / 2]; v[i] = x * cos(a) - y * sin(a); v[i + D / 2] = x * sin(a) + y * cos(a); }
  float* d = dev(q); if (rope_forward(d, dev(pos), B, S, H, D, 10000.f)) return 1; same("q", host(d, q.size()), w, 1e-4); }
