#include <cuda_runtime.h>

// Seismic shot gather, double precision: spherical-divergence gain and a soft clip of each trace.

template <typename Real>
struct GainCurve {
    Real sampleInterval;  // seconds
    Real velocity;        // km/s
    Real ceiling;

    __device__ Real operator()(Real amplitude, int sample) const {
        const Real t = sample * sampleInterval;
        const Real boosted = amplitude * (Real(1) + velocity * t) * (Real(1) + t);
        return boosted / (Real(1) + fabs(boosted) / ceiling);
    }
};

template <typename Real, int kPerThread>
__global__ void applyGain(const Real* __restrict__ gather, Real* __restrict__ gained, GainCurve<Real> curve, int samples) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * kPerThread;
    const Real* trace = gather + static_cast<size_t>(blockIdx.y) * samples;
    Real* result = gained + static_cast<size_t>(blockIdx.y) * samples;

    for (int k = 0; k < kPerThread; ++k) {
        const int s = first + k;
        if (s < samples) result[s] = curve(trace[s], s);
    }
}

void gainGather(const double* gather, double* gained, double sampleInterval, double velocity, int traces, int samples) {
    constexpr int kThreads = 64, kPerThread = 8;
    const GainCurve<double> curve{sampleInterval, velocity, 40.0};
    const dim3 grid((samples + kThreads * kPerThread - 1) / (kThreads * kPerThread), traces);
    applyGain<double, kPerThread><<<grid, kThreads>>>(gather, gained, curve, samples);
}
