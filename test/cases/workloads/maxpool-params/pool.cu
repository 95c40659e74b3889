#include <cfloat>
#include <cuda_runtime.h>

struct PoolParams
{
    int batch, channels;
    int inH, inW;
    int outH, outW;
    int window, stride, pad;
};

__global__ void MaxPool2dForward(const float* bottom, float* top, int* argmax, const PoolParams p)
{
    const int total = p.batch * p.channels * p.outH * p.outW;
    for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < total; index += gridDim.x * blockDim.x)
    {
        const int ow = index % p.outW;
        const int oh = (index / p.outW) % p.outH;
        const int plane = index / (p.outW * p.outH);

        int h0 = oh * p.stride - p.pad, w0 = ow * p.stride - p.pad;
        const int h1 = min(h0 + p.window, p.inH), w1 = min(w0 + p.window, p.inW);
        h0 = max(h0, 0);
        w0 = max(w0, 0);

        const float* src = bottom + plane * p.inH * p.inW;
        float best = -FLT_MAX;
        int where = -1;
        for (int h = h0; h < h1; ++h)
            for (int w = w0; w < w1; ++w)
                if (src[h * p.inW + w] > best)
                {
                    best = src[h * p.inW + w];
                    where = h * p.inW + w;
                }
        top[index] = best;
        argmax[index] = where;
    }
}

void MaxPool2d(const float* bottom, float* top, int* argmax, int batch, int channels, int inH, int inW,
               int window, int stride, int pad)
{
    PoolParams p;
    p.batch = batch;
    p.channels = channels;
    p.inH = inH;
    p.inW = inW;
    p.window = window;
    p.stride = stride;
    p.pad = pad;
    p.outH = (inH + 2 * pad - window) / stride + 1;
    p.outW = (inW + 2 * pad - window) / stride + 1;

    const int total = batch * channels * p.outH * p.outW;
    const int threads = 256;
    const int blocks = (total + threads - 1) / threads;
    MaxPool2dForward<<<blocks < 4096 ? blocks : 4096, threads>>>(bottom, top, argmax, p);
}
