// ringbuf: reads a delay line with wrap-around for several taps.
__global__ void taps_mix(float *mix, const float *ring, const int *delay, unsigned ring_len, unsigned n, unsigned ntaps)
{
    for (unsigned t = blockIdx.x * blockDim.x + threadIdx.x; t < n; t += blockDim.x * gridDim.x) {
        float acc = 0.f;
        for (unsigned k = 0; k < ntaps; k++)
            acc += ring[(t + ring_len - delay[k] % ring_len) % ring_len];
        mix[t] = acc / (float)ntaps;
    }
}

void mix_taps(float *mix, const float *ring, const int *delay, unsigned ring_len, unsigned n, unsigned ntaps)
{
    taps_mix<<<(n + 255) / 256, 256>>>(mix, ring, delay, ring_len, n, ntaps);
}
