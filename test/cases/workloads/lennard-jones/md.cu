#include <cmath>
#include <iostream>
#include <vector>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

template <class Real> struct Vec3 { Real x, y, z; };

template <class Real>
__global__ void forces(const Vec3<Real>* r, Vec3<Real>* f, Real* pot, int n, Real box, Real cut2)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n) return;
    Vec3<Real> a = r[i], sum{0, 0, 0};
    Real e = 0;
    for (int j = 0; j < n; ++j) {
        if (j == i) continue;
        Real dx = a.x - r[j].x, dy = a.y - r[j].y, dz = a.z - r[j].z;
        dx -= box * rint(dx / box);
        dy -= box * rint(dy / box);
        dz -= box * rint(dz / box);
        Real d2 = dx * dx + dy * dy + dz * dz;
        if (d2 > cut2) continue;
        Real i6 = 1 / (d2 * d2 * d2);
        Real s = 48 * i6 * (i6 - Real(0.5)) / d2;
        sum.x += s * dx; sum.y += s * dy; sum.z += s * dz;
        e += 4 * i6 * (i6 - 1);
    }
    f[i] = sum;
    pot[i] = e / 2;
}

int main()
{
    const int side = 5, n = side * side * side;
    const double box = side * 1.2;
    thrust::host_vector<Vec3<double>> h(n);
    for (int i = 0; i < n; ++i)
        h[i] = {1.2 * (i % side) + 0.01 * (i % 3), 1.2 * (i / side % side), 1.2 * (i / side / side) - 0.02 * (i % 2)};
    thrust::device_vector<Vec3<double>> r = h, f(n);
    thrust::device_vector<double> pot(n);
    forces<double><<<(n + 63) / 64, 64>>>(thrust::raw_pointer_cast(r.data()), thrust::raw_pointer_cast(f.data()),
                                          thrust::raw_pointer_cast(pot.data()), n, box, 6.25);
    thrust::host_vector<Vec3<double>> hf = f;
    thrust::host_vector<double> hp = pot;
    double fx = 0, fy = 0, fz = 0, e = 0;
    for (int i = 0; i < n; ++i) { fx += hf[i].x; fy += hf[i].y; fz += hf[i].z; e += hp[i]; }
    std::cout << "energy " << e << ", net force " << fx << ' ' << fy << ' ' << fz << '\n';
    // Newton's third law
    return std::abs(fx) + std::abs(fy) + std::abs(fz) < 1e-8 && e < 0 ? 0 : 1;
}
