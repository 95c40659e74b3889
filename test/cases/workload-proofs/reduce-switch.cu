#include "proof.h"
#include "reduction.cu"
int main() { for (int n : {1, 60, 700, 1000, 5000, 100000}) { auto x = floats(n); double s = 0; for (float v : x) s += v; float* y = room<float>(1); sumOnDevice(dev(x), room<float>(64), y, n); same("sum", host(y, 1), std::vector<double>{s}, 1e-3); } }
