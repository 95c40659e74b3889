#include "proof.h"
#include "csrc/embedding.cu"
int main() { int T = 20, V = 50, D = 70, P = 8; auto id = whole<int64_t>(T, 0, V); auto t = floats(V * D), q = floats(P * D); std::vector<float> w; for (int i = 0; i < T; i++) for (int d = 0; d < D; d++) w.push_back(t[id[i] * D + d] + q[i % P * D + d]); float* y = room<float>(T * D); embed(dev(id), dev(t), dev(q), y, T, V, D, P, 0); same("y", host(y, T * D), w, 1e-6); }
