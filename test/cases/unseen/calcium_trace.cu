// Two-photon imaging: calcium trace of every neuron from its spike counts.
//   c[t] = c[t-1] * exp(-dt / tau) + amplitude * spikes[t],   dF/F = c / (c + kd)
// Arrays are frame-major, so that neighbouring neurons are neighbours in memory.
#include <cuda_runtime.h>

__global__ void calciumTrace(const unsigned char* spikes, const float* tau, const float* amplitude,
                             const float* kd, float* trace, float frameRate, int neurons, int frames)
{
    int n = threadIdx.x + blockDim.x * blockIdx.x;
    if (n < neurons)
    {
        float c = 0.0f;
        for (int t = 0; t < frames; t++)
        {
            float keep = expf(-1.0f / (tau[n] * frameRate));
            float rise = amplitude[n] * (1.0f - expf(-4.0f / (tau[n] * frameRate)));
            c = c * keep + rise * spikes[t * neurons + n];
            trace[t * neurons + n] = c / (c + kd[n]);
        }
    }
}

void renderTraces(const unsigned char* spikes, const float* tau, const float* amplitude, const float* kd, float* trace,
                  float frameRate, int neurons, int frames)
{
    int threads = 64;
    calciumTrace<<<(neurons + threads - 1) / threads, threads>>>(spikes, tau, amplitude, kd, trace, frameRate,
                                                                 neurons, frames);
}
