// Slow transform of short records: every thread makes its own sines and cosines.
__global__ void slow_dft(const float* __restrict__ sig, float2* spec, int n, int records) {
    int k = threadIdx.x + blockIdx.x * blockDim.x;
    int r = blockIdx.y;
    if (k >= n) return;
    float re = 0.f, im = 0.f;
    for (int t = 0; t < n; ++t) {
        float angle = -6.2831853f * (float)((k * t) % n) / (float)n;
        re += sig[r * n + t] * cosf(angle);
        im += sig[r * n + t] * sinf(angle);
    }
    spec[r * n + k] = make_float2(re, im);
}
void dft(const float* sig, float2* spec, int n, int records) {
    slow_dft<<<dim3((n + 127) / 128, records), 128>>>(sig, spec, n, records);
}
