// Short spectra of speech frames (power at B bins), plain DFT with a Hann window.
#include <cuda_runtime.h>
#include <math_constants.h>

struct FrameCfg { int frameLen; int hop; int bins; };

__global__ void framePower(const float* pcm, float* power, FrameCfg cfg, int frames)
{
    int bin   = threadIdx.x;
    int frame = blockIdx.x;
    if (bin >= cfg.bins || frame >= frames) return;

    const float* x = pcm + frame * cfg.hop;
    float re = 0.0f, im = 0.0f;
    for (int n = 0; n < cfg.frameLen; ++n) {
        float w  = 0.5f - 0.5f * cosf(2.0f * CUDART_PI_F * n / cfg.frameLen);
        float ph = 2.0f * CUDART_PI_F * (float)((bin * n) % cfg.frameLen) / cfg.frameLen;
        re += w * x[n] * cosf(ph);
        im -= w * x[n] * sinf(ph);
    }
    power[frame * cfg.bins + bin] = re * re + im * im;
}

void computeFramePower(const float* pcm, float* power, int frames, int frameLen, int hop, int bins)
{
    FrameCfg cfg{frameLen, hop, bins};
    framePower<<<frames, bins>>>(pcm, power, cfg, frames);
}
