#include "proof.h"
#include "topk.cu"
int main() { for (int k : {1, 2, 4, 8, 16}) { int R = 70, C = 45; auto x = floats(R * C); float* v = room<float>(R * k); int32_t* at = room<int32_t>(R * k); if (topk(dev(x), v, at, R, C, k, 0)) return 1; std::vector<float> w; auto g = host(v, R * k); auto ga = host(at, R * k); for (int r = 0; r < R; r++) { std::vector<float> s(x.begin() + r * C, x.begin() + (r + 1) * C); std::sort(s.rbegin(), s.rend()); for (int i = 0; i < k; i++) { w.push_back(s[i]); if (x[r * C + ga[r * k + i]] != s[i]) return 1; } } same("v", g, w, 0); } }
