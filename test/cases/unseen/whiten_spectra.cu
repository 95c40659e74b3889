// Whitens spectra: mean of each spectrum, then the difference, then a gain.
__global__ void spec_mean(const float* s, float* m, int bins) {
    __shared__ float buf[128];
    float a = 0;
    for (int k = threadIdx.x; k < bins; k += blockDim.x) a += s[blockIdx.x * bins + k];
    buf[threadIdx.x] = a;
    for (int d = 64; d > 0; d >>= 1) { __syncthreads(); if (threadIdx.x < d) buf[threadIdx.x] += buf[threadIdx.x + d]; }
    if (threadIdx.x == 0) m[blockIdx.x] = buf[0] / bins;
}
__global__ void spec_sub(const float* s, const float* m, float* d, int bins, int total) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < total) d[i] = s[i] - m[i / bins];
}
__global__ void spec_gain(float* d, const float* gain, int bins, int total) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < total) d[i] = d[i] * gain[i % bins];
}
void whiten(const float* s, float* m, float* d, const float* gain, int spectra, int bins) {
    int total = spectra * bins;
    spec_mean<<<spectra, 128>>>(s, m, bins);
    spec_sub<<<(total + 255) / 256, 256>>>(s, m, d, bins, total);
    spec_gain<<<(total + 255) / 256, 256>>>(d, gain, bins, total);
}
