#include "proof.h"
#include "lib/activations.cu"
int main() { int n = 1500; auto x = floats(n, -4, 4); std::vector<float> w; for (float v : x) w.push_back(1 / (1 + exp(-v))); float* y = room<float>(n); sigmoid(dev(x), y, n); same("y", host(y, n), w, 1e-6); auto k = whole<int>(n, -50, 50); std::vector<int> q; for (int v : k) q.push_back(v * v); int* z = room<int>(n); square_ints(dev(k), z, n); same("z", host(z, n), q, 0); }
