#include <cuda_runtime.h>

/* Arithmetic Asian call by Monte Carlo. The normals come from a Sobol
   sequence, one row of them per fixing date, one column per path. */

#define PATHS_PER_BLOCK 128
#define MAX_FIXINGS     96

struct Contract
{
    float spot, strike, rate, vol, expiry;
    int fixings;
};

__global__ void asian_payoff(const float *__restrict__ normals, float *__restrict__ payoff, Contract c, int n_paths)
{
    __shared__ float level[MAX_FIXINGS][PATHS_PER_BLOCK];

    const int lane = threadIdx.x;
    const int path = blockIdx.x * PATHS_PER_BLOCK + lane;
    if (path >= n_paths)
        return;

    const float dt = c.expiry / c.fixings;
    const float drift = (c.rate - 0.5f * c.vol * c.vol) * dt;
    const float diffusion = c.vol * sqrtf(dt);

    float s = c.spot;
    for (int k = 0; k < c.fixings; ++k) {
        s *= expf(drift + diffusion * normals[k * n_paths + path]);
        level[k][lane] = s;
    }

    float average = 0.0f;
    for (int k = 0; k < c.fixings; ++k)
        average += level[k][lane];
    average /= c.fixings;

    payoff[path] = expf(-c.rate * c.expiry) * fmaxf(average - c.strike, 0.0f);
}

int price_asian(const float *normals, float *payoff, float strike, int fixings, int n_paths)
{
    if (fixings > MAX_FIXINGS)
        return 1;
    const Contract c = {100.0f, strike, 0.02f, 0.25f, 1.0f, fixings};
    const int blocks = (n_paths + PATHS_PER_BLOCK - 1) / PATHS_PER_BLOCK;
    asian_payoff<<<blocks, PATHS_PER_BLOCK>>>(normals, payoff, c, n_paths);
    return 0;
}
