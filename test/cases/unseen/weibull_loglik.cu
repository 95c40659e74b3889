#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

// Survival analysis: log-likelihood of a Weibull model with right censoring.
// Each block leaves one partial sum, the host adds those up.

#define CHECK(call)                                                              \
    do {                                                                         \
        cudaError_t e_ = (call);                                                 \
        if (e_ != cudaSuccess) {                                                 \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e_));     \
            std::exit(EXIT_FAILURE);                                             \
        }                                                                        \
    } while (0)

const int kThreads = 256;

__global__ void weibull_partial(const float* time, const int* event, float* partial, float shape, float log_scale, int n)
{
    __shared__ float sum[kThreads];
    const int tid = threadIdx.x;
    const int i = blockIdx.x * kThreads + tid;

    float ll = 0.0f;
    if (i < n) {
        const float log_z = logf(time[i]) - log_scale;
        const float cumulative = expf(shape * log_z);
        ll = -cumulative;
        if (event[i]) ll += logf(shape) - log_scale + (shape - 1.0f) * log_z;
    }
    sum[tid] = ll;
    __syncthreads();

    for (int step = 1; step < kThreads; step *= 2) {
        if (tid % (2 * step) == 0) sum[tid] += sum[tid + step];
        __syncthreads();
    }

    if (tid == 0) partial[blockIdx.x] = sum[0];
}

int main()
{
    const int n = 200000;
    const float shape = 1.4f, log_scale = 0.3f;
    const int blocks = (n + kThreads - 1) / kThreads;

    std::vector<float> time(n), partial(blocks);
    std::vector<int> event(n);
    unsigned state = 20221u;
    for (int i = 0; i < n; ++i) {
        state = state * 1664525u + 1013904223u;
        time[i] = 0.05f + (state >> 8) * (3.0f / 16777216.0f);
        event[i] = (state >> 5) % 3u != 0u;
    }

    float *d_time, *d_partial;
    int* d_event;
    CHECK(cudaMalloc(&d_time, n * sizeof(float)));
    CHECK(cudaMalloc(&d_event, n * sizeof(int)));
    CHECK(cudaMalloc(&d_partial, blocks * sizeof(float)));
    CHECK(cudaMemcpy(d_time, time.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_event, event.data(), n * sizeof(int), cudaMemcpyHostToDevice));

    weibull_partial<<<blocks, kThreads>>>(d_time, d_event, d_partial, shape, log_scale, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(partial.data(), d_partial, blocks * sizeof(float), cudaMemcpyDeviceToHost));

    double got = 0.0, want = 0.0;
    for (float p : partial) got += p;
    for (int i = 0; i < n; ++i) {
        const double log_z = std::log((double)time[i]) - log_scale;
        want -= std::exp(shape * log_z);
        if (event[i]) want += std::log((double)shape) - log_scale + (shape - 1.0) * log_z;
    }
    const bool ok = std::fabs(got - want) <= 1e-4 * std::fabs(want);
    std::printf("log-likelihood %.4f (host %.4f) %s\n", got, want, ok ? "PASSED" : "FAILED");

    cudaFree(d_time);
    cudaFree(d_event);
    cudaFree(d_partial);
    return ok ? 0 : 1;
}
