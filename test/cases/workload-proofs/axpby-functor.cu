#include "proof.h"
#include "ops.cu"
int main() { int n = 700; auto x = floats(n), y = floats(n); std::vector<float> w; std::vector<double> dx(x.begin(), x.end()), dy(y.begin(), y.end()), h; for (int i = 0; i < n; i++) { w.push_back(2 * x[i] - 3 * y[i]); h.push_back(sqrt(dx[i] * dx[i] + dy[i] * dy[i])); } float* z = room<float>(n); axpby(2, dev(x), -3, dev(y), z, n); same("z", host(z, n), w, 1e-6); double* d = room<double>(n); hypotenuse(dev(dx), dev(dy), d, n); same("h", host(d, n), h, 1e-12); }
