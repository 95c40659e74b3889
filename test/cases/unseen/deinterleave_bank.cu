// Splits an interleaved 16-channel recording into planar channels, with a trim gain per channel.
// in:  frame 0 (ch 0 .. ch 15), frame 1 (ch 0 .. ch 15), ...
// out: channel 0 (all frames), channel 1 (all frames), ...

static const int kChannels = 16;
static const int kFrames = 128;   // frames per block

__device__ static float softClip(float s, float ceiling)
{
    return fminf(fmaxf(s, -ceiling), ceiling);
}

__global__ void deinterleave(const float* in, const float* trim, float* out, int frames, float ceiling)
{
    __shared__ float buffer[kFrames * kChannels];

    const int firstFrame = blockIdx.x * kFrames;
    const int samples = min(kFrames, frames - firstFrame) * kChannels;

    // the reads are contiguous over the block
    for (int s = threadIdx.x; s < samples; s += blockDim.x)
        buffer[s] = in[firstFrame * kChannels + s];
    __syncthreads();

    const int frame = firstFrame + threadIdx.x;
    if (frame < frames)
    {
        for (int ch = 0; ch < kChannels; ++ch)
        {
            const float s = buffer[threadIdx.x * kChannels + ch];
            out[ch * frames + frame] = softClip(s * trim[ch], ceiling);
        }
    }
}

void splitChannels(const float* in, const float* trim, float* out, int frames, float ceiling)
{
    deinterleave<<<(frames + kFrames - 1) / kFrames, kFrames>>>(in, trim, out, frames, ceiling);
}
