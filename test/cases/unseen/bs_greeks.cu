// Vanilla book revaluation. One contract per thread.
#include <cuda_runtime.h>
#include <math.h>

#define SQRT_HALF     0.70710678118654752440
#define INV_SQRT_2PI  0.39894228040143267794

#define N_PDF(x)      (INV_SQRT_2PI * exp(-0.5 * (x) * (x)))
#define N_CDF(x)      (0.5 * erfc(-(x) * SQRT_HALF))
#define DISCOUNT(r,t) exp(-1.0 * (r) * (t))
#define D1(s,k,v,b,t) ((log((s) / (k)) + ((b) + 0.5 * (v) * (v)) * (t)) / ((v) * sqrt(1.0 * (t))))

#define CONTRACT_ID   (blockIdx.x * blockDim.x + threadIdx.x)
#define OUT_OF_BOOK(i, n) if ((i) >= (n)) return

__global__ void greeks(const float* spot, const float* strike, const float* vol, const float* tau,
                       float* price, float* delta, float* vega,
                       float rate, float carry, float notional, int contracts)
{
    const int i = CONTRACT_ID;
    OUT_OF_BOOK(i, contracts);

    const float S = spot[i];
    const float K = strike[i];
    const float v = vol[i];
    const float T = tau[i];

    const float d1 = D1(S, K, v, carry, T);
    const float d2 = d1 - v * sqrt(1.0 * T);
    const float fwd = S * DISCOUNT(rate - carry, T);

    price[i] = notional * (fwd * N_CDF(d1) - K * DISCOUNT(rate, T) * N_CDF(d2));
    delta[i] = notional * DISCOUNT(rate - carry, T) * N_CDF(d1);
    vega[i]  = notional * 0.01 * fwd * N_PDF(d1) * sqrt(1.0 * T);
}

void reval_book(const float* spot, const float* strike, const float* vol, const float* tau,
                float* price, float* delta, float* vega, float rate, float carry, float notional, int contracts)
{
    const int tpb = 192;
    greeks<<<(contracts + tpb - 1) / tpb, tpb>>>(spot, strike, vol, tau, price, delta, vega,
                                                 rate, carry, notional, contracts);
}
