#include <cuda_runtime.h>

#ifndef TAPS
#define TAPS 24
#endif

__constant__ float window[TAPS];

class FirStage {
public:
    FirStage(const float* in, float* out, int n) : in_(in), out_(out), n_(n) {}

    __device__ void run(int t) const {
        out_[t] = 0.0f;
        for (int k = 0; k < TAPS; k++) {
            int at = t - k;
            if (at >= 0)
                out_[t] += window[k] * in_[at];
        }
    }

    __device__ int samples() const { return n_; }

private:
    const float* in_;
    float* out_;
    int n_;
};

__global__ void fir_kernel(FirStage stage)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < stage.samples())
        stage.run(t);
}

void fir_bank(const float* in, const float* taps, float* out, int n)
{
    cudaMemcpyToSymbol(window, taps, TAPS * sizeof(float), 0, cudaMemcpyDeviceToDevice);
    FirStage stage(in, out, n);
    fir_kernel<<<(n + 255) / 256, 256>>>(stage);
}
