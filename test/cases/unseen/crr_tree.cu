// American puts on a recombining binomial tree (Cox-Ross-Rubinstein), one option per thread.
#include <cuda_runtime.h>

#define MAX_STEPS 64
#define EXERCISE(k, s) fmaxf((k) - (s), 0.0f)

struct Node {
    float up, down;      // move of the spot
    float pu, pd;        // discounted probabilities
};

__device__ __forceinline__ Node branch(float vol, float rate, float dt)
{
    Node n;
    n.up = expf(vol * sqrtf(dt));
    n.down = 1.0f / n.up;
    const float grow = expf(rate * dt);
    const float p = (grow - n.down) / (n.up - n.down);
    n.pu = p / grow;
    n.pd = (1.0f - p) / grow;
    return n;
}

__global__ void american_put(const float* __restrict__ spot, const float* __restrict__ strike,
                             const float* __restrict__ vol, float* __restrict__ premium,
                             float rate, float maturity, int steps, int options)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= options) return;

    const float K = strike[id];
    const Node n = branch(vol[id], rate, maturity / steps);
    const float up2 = n.up * n.up;

    float lowest = spot[id];
    for (int step = 0; step < steps; ++step) lowest *= n.down;

    float value[MAX_STEPS + 1];
    float s = lowest;
    for (int level = 0; level <= steps; ++level) {
        value[level] = EXERCISE(K, s);
        s *= up2;
    }

    for (int step = steps - 1; step >= 0; --step) {
        lowest *= n.up;
        s = lowest;
        for (int level = 0; level <= step; ++level) {
            const float hold = n.pu * value[level + 1] + n.pd * value[level];
            value[level] = fmaxf(hold, K - s);
            s *= up2;
        }
    }
    premium[id] = value[0];
}

void price_puts(const float* spot, const float* strike, const float* vol, float* premium,
                float rate, float maturity, int steps, int options)
{
    american_put<<<(options + 127) / 128, 128>>>(spot, strike, vol, premium, rate, maturity, min(steps, MAX_STEPS), options);
}
