#include "proof.h"
#include "body_system.cu"
int main() { int n = 90; std::vector<float4> p(n), v(n, make_float4(0, 0, 0, 0)); for (auto& q : p) q = make_float4(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(0, 1)); auto o = p; float dt = 0.01f;
  auto q = p, u = v; for (int t = 0; t < 3; t++) { auto c = q; for (int i = 0; i < n; i++) { double a[3] = {0, 0, 0}; for (int j = 0; j < n; j++) { double dx = c[j].x - c[i].x, dy = c[j].y - c[i].y, dz = c[j].z - c[i].z, r = dx * dx + dy * dy + dz * dz + 1e-4; double s = c[j].w / (r * sqrt(r)); a[0] += dx * s; a[1] += dy * s; a[2] += dz * s; } u[i].x += a[0] * dt; u[i].y += a[1] * dt; u[i].z += a[2] * dt; q[i] = make_float4(c[i].x + u[i].x * dt, c[i].y + u[i].y * dt, c[i].z + u[i].z * dt, c[i].w); } }
  simulate(p.data(), v.data(), n, 3, dt); std::vector<float> g, w; for (int i = 0; i < n; i++) { g.push_back(p[i].x); g.push_back(p[i].z); w.push_back(q[i].x); w.push_back(q[i].z); } same("pos", g, w, 1e-3); }
