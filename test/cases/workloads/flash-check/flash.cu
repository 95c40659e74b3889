#include <cuda_runtime.h>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

// softmax(Q K^T / sqrt(d)) V, causal, with an online softmax. One thread a query, K and V in tiles.
template <int D, int BC>
__global__ void flash_forward(const float *Q, const float *K, const float *V, float *O, int L, float scale)
{
    __shared__ float sK[BC][D];
    __shared__ float sV[BC][D];
    const size_t head = (size_t)blockIdx.y * L * D;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool active = i < L;

    float q[D], o[D];
    for (int d = 0; d < D; d++) { q[d] = active ? Q[head + (size_t)i * D + d] * scale : 0.f; o[d] = 0.f; }
    float m = -FLT_MAX, l = 0.f;

    const int last = min(L, (int)((blockIdx.x + 1) * blockDim.x));
    for (int j0 = 0; j0 < last; j0 += BC) {
        for (int e = threadIdx.x; e < BC * D; e += blockDim.x) {
            const int r = e / D, d = e % D;
            sK[r][d] = j0 + r < L ? K[head + (size_t)(j0 + r) * D + d] : 0.f;
            sV[r][d] = j0 + r < L ? V[head + (size_t)(j0 + r) * D + d] : 0.f;
        }
        __syncthreads();
        for (int r = 0; r < BC && j0 + r <= i && active; r++) {
            float s = 0.f;
            for (int d = 0; d < D; d++) s += q[d] * sK[r][d];
            const float mNew = fmaxf(m, s);
            const float fix = expf(m - mNew), p = expf(s - mNew);
            l = l * fix + p;
            for (int d = 0; d < D; d++) o[d] = o[d] * fix + p * sV[r][d];
            m = mNew;
        }
        __syncthreads();
    }
    if (active)
        for (int d = 0; d < D; d++) O[head + (size_t)i * D + d] = o[d] / l;
}

static void reference(const float *Q, const float *K, const float *V, float *O, int L, int D)
{
    std::vector<double> p(L);
    for (int i = 0; i < L; i++) {
        double z = 0, m = -1e300;
        for (int j = 0; j <= i; j++) {
            double s = 0;
            for (int d = 0; d < D; d++) s += (double)Q[i * D + d] * K[j * D + d];
            p[j] = s / std::sqrt((double)D);
            m = std::fmax(m, p[j]);
        }
        for (int j = 0; j <= i; j++) z += p[j] = std::exp(p[j] - m);
        for (int d = 0; d < D; d++) {
            double a = 0;
            for (int j = 0; j <= i; j++) a += p[j] * V[j * D + d];
            O[i * D + d] = (float)(a / z);
        }
    }
}

int main()
{
    constexpr int D = 32;
    const int heads = 2, L = 100;
    const size_t n = (size_t)heads * L * D;
    std::vector<float> q(n), k(n), v(n), o(n), r(n);
    srand(3);
    for (size_t i = 0; i < n; i++) {
        q[i] = rand() / (float)RAND_MAX - 0.5f;
        k[i] = rand() / (float)RAND_MAX - 0.5f;
        v[i] = rand() / (float)RAND_MAX - 0.5f;
    }
    float *d[4];
    for (auto &p : d) cudaMalloc(&p, n * sizeof(float));
    cudaMemcpy(d[0], q.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d[1], k.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d[2], v.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    flash_forward<D, 16><<<dim3((L + 31) / 32, heads), 32>>>(d[0], d[1], d[2], d[3], L, 1.f / sqrtf(D));
    cudaMemcpy(o.data(), d[3], n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int h = 0; h < heads; h++) reference(&q[h * L * D], &k[h * L * D], &v[h * L * D], &r[h * L * D], L, D);
    double worst = 0;
    for (size_t i = 0; i < n; i++) worst = std::fmax(worst, std::fabs((double)o[i] - r[i]));
    printf("max abs error %.3g: %s\n", worst, worst < 1e-4 ? "passed" : "FAILED");
    for (auto p : d) cudaFree(p);
    return worst < 1e-4 ? 0 : 1;
}
