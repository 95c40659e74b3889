#include "proof.h"
#include "heat.cu"
int main() { int X = 13, Y = 9, Z = 7; std::vector<double> g(X * Y * Z); for (auto& v : g) v = uniform(0, 1); auto w = g; for (int s = 0; s < 3; s++) { auto c = w; for (int z = 1; z < Z - 1; z++) for (int y = 1; y < Y - 1; y++) for (int x = 1; x < X - 1; x++) { int i = (z * Y + y) * X + x; w[i] = c[i] + 0.1 * (c[i - 1] + c[i + 1] + c[i - X] + c[i + X] + c[i - X * Y] + c[i + X * Y] - 6 * c[i]); } } if (heat_solve(g.data(), X, Y, Z, 0.1, 3)) return 1; same("t", g, w, 1e-12); }
