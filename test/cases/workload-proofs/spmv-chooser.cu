#include "proof.h"
#include "spmv.cu"
int main() { for (int per : {3, 40}) { int R = 60, C = 90; std::vector<int> ptr{0}, col; for (int r = 0; r < R; r++) { int n = bits() % (2 * per); for (int j = 0; j < n; j++) col.push_back(bits() % C); ptr.push_back(col.size()); } auto v = floats(col.size()), x = floats(C); std::vector<float> w(R); for (int r = 0; r < R; r++) for (int j = ptr[r]; j < ptr[r + 1]; j++) w[r] += v[j] * x[col[j]]; CsrMatrix A{R, C, (int)col.size(), dev(ptr), dev(col), dev(v)}; float* y = room<float>(R); spmv(A, dev(x), y); same("y", host(y, R), w); } }
