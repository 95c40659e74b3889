// Product of two polynomials modulo a prime that comes with the input.  O(n^2), but on 5000 cores :)
#include <bits/stdc++.h>
#include <cuda_runtime.h>
using namespace std;
typedef unsigned long long ull;
typedef long long ll;

__global__ void conv(const ull *a, const ull *b, ull *c, int n, ull p) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= 2 * n - 1) return;
    int lo = max(0, k - n + 1), hi = min(k, n - 1);
    ull r = 0;
    for (int i = lo; i <= hi; i++)
        r = (r + a[i] * b[k - i] % p) % p;
    c[k] = r;
}

int main() {
    ios::sync_with_stdio(false);
    const int n = 1200;
    const ull p = 998244353;
    vector<ull> a(n), b(n), c(2 * n - 1);
    mt19937 rng(712367);
    for (auto &x : a) x = rng() % p;
    for (auto &x : b) x = rng() % p;

    ull *da, *db, *dc;
    cudaMalloc(&da, n * sizeof(ull));
    cudaMalloc(&db, n * sizeof(ull));
    cudaMalloc(&dc, (2 * n - 1) * sizeof(ull));
    cudaMemcpy(da, a.data(), n * sizeof(ull), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), n * sizeof(ull), cudaMemcpyHostToDevice);
    conv<<<(2 * n - 1 + 63) / 64, 64>>>(da, db, dc, n, p);
    cudaMemcpy(c.data(), dc, (2 * n - 1) * sizeof(ull), cudaMemcpyDeviceToHost);

    ull h = 0;
    for (auto x : c) h = (h * 131 + x) % p;
    cout << h << "\n";
}
