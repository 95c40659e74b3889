#include "proof.h"
#include "saxpy.cu"
int main() { int n = 3000; auto x = floats(2 * n), y = floats(3 * n), w = y; for (int i = 0; i < n; i++) w[3 * i] += 2.5f * x[2 * i]; float* d = dev(y); if (saxpy(n, 2.5f, dev(x), 2, d, 3)) return 1; same("y", host(d, 3 * n), w, 1e-6); }
