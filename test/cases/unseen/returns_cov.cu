#include <cuda_runtime.h>

// Sample covariance of daily returns, exponentially weighted.
//   returns : days x assets (one row per trading day)
//   cov     : assets x assets

constexpr int BLK = 16;

struct Window {
    int days;
    int assets;
    float decay;   // lambda of the weighting, below 1
};

__global__ void ewma_covariance(const float *returns, const float *mean, float *cov, Window w)
{
    const int j = blockIdx.x * BLK + threadIdx.x;
    const int i = blockIdx.y * BLK + threadIdx.y;

    if (i < w.assets && j < w.assets) {
        float acc = 0.f, weight = 1.f, norm = 0.f;
        for (int d = w.days - 1; d >= 0; --d) {
            const float ri = returns[d * w.assets + i] - mean[i];
            const float rj = returns[d * w.assets + j] - mean[j];
            acc += weight * ri * rj;
            norm += weight;
            weight *= w.decay;
        }
        cov[i * w.assets + j] = acc / norm;
    }
}

void covariance(const float *returns, const float *mean, float *cov, int days, int assets, float decay)
{
    const int tiles = (assets + BLK - 1) / BLK;
    ewma_covariance<<<dim3(tiles, tiles), dim3(BLK, BLK)>>>(returns, mean, cov, Window{days, assets, decay});
}
