#include <stdint.h>
#include <cuda_runtime.h>

/* First-order low pass with dead band for many sensors, Q16.16.
 * Samples come scan by scan: scan t holds one value of each channel. */

typedef int32_t q16_t;

#define Q16_ONE      65536
#define CHANS_PER_WG 128

static __device__ q16_t q16_mul(q16_t a, q16_t b)
{
    return (q16_t)(((int64_t)a * (int64_t)b) >> 16);
}

static __device__ q16_t dead_band(q16_t step, q16_t band)
{
    if (step > band)
        return step - band;
    if (step < -band)
        return step + band;
    return 0;
}

__global__ void lowpass_scan(const q16_t *adc, const q16_t *seed, q16_t *filt,
                             q16_t coeff, q16_t band, int channels, int scans)
{
    __shared__ q16_t state[CHANS_PER_WG];
    __shared__ q16_t sample[CHANS_PER_WG];

    const int ch = blockIdx.x * CHANS_PER_WG + threadIdx.x;
    const int lane = threadIdx.x;
    const int live = ch < channels;

    state[lane] = live ? seed[ch] : 0;
    __syncthreads();

    for (int t = 0; t < scans; t++)
    {
        sample[lane] = live ? adc[t * channels + ch] : 0;
        __syncthreads();                /* sample is there */

        const q16_t step = dead_band(sample[lane] - state[lane], band);
        state[lane] += q16_mul(coeff, step);
        __syncthreads();                /* state is there */

        if (live)
            filt[t * channels + ch] = state[lane];
    }
}

void filter_block(const q16_t *adc, const q16_t *seed, q16_t *filt, q16_t coeff, q16_t band,
                  int channels, int scans)
{
    const int groups = (channels + CHANS_PER_WG - 1) / CHANS_PER_WG;
    lowpass_scan<<<groups, CHANS_PER_WG>>>(adc, seed, filt, coeff, band, channels, scans);
}
