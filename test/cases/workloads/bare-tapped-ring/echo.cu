constexpr unsigned kHistory = 8192;   // a power of two

// Echoes of a signal: each tap reads the ring of past samples so many steps ago
__global__ void mix_echoes(float* mixed, const float* past, const unsigned* ago, const float* gain, unsigned now,
                           unsigned samples, unsigned echoes)
{
    unsigned at = blockDim.x * blockIdx.x + threadIdx.x;
    if (at < samples) {
        float sum = 0.f;
        for (unsigned e = 0; e != echoes; ++e) sum = fmaf(gain[e], past[(now + at - ago[e]) % kHistory], sum);
        mixed[at] = sum;
    }
}
