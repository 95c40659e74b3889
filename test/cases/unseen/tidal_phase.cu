#include <cuda_runtime.h>
#include <cstddef>

// Harmonic response of gauges: each gauge convolves a periodic forcing (one tidal cycle of
// `period` samples) with its own impulse response, starting at its own phase.

static constexpr unsigned kGaugesPerBlock = 128u;

__global__ void response(const float *forcing, const float *impulse, const int *phase, float *level,
                         const int period, const int taps, const int gauges)
{
    const int gauge = static_cast<int>(blockIdx.x * kGaugesPerBlock + threadIdx.x);
    if (!(gauge < gauges)) { return; }

    const int start = phase[gauge];
    float acc = 0.f;
    int tap = 0;
    while (tap < taps) {
        const int at = (start + tap) % period;
        acc += impulse[tap * gauges + gauge] * forcing[at];
        ++tap;
    }
    level[gauge] = acc;
}

extern "C" void gauge_response(const float *forcing, const float *impulse, const int *phase, float *level,
                               int period, int taps, int gauges)
{
    const unsigned blocks = (static_cast<unsigned>(gauges) + kGaugesPerBlock - 1u) / kGaugesPerBlock;
    response<<<blocks, kGaugesPerBlock>>>(forcing, impulse, phase, level, period, taps, gauges);
}
