// running maximum (peak envelope) per window of 1024 samples, while-loop form
__global__ void envelope(const float *samples, float *env, int n)
{
    __shared__ float s[1024];
    const unsigned t = threadIdx.x;
    const int i = blockIdx.x * 1024 + t;
    s[t] = (i < n) ? fabsf(samples[i]) : 0.f;
    __syncthreads();
    int d = 1;
    while (d < 1024) {
        float other = s[t];
        if (t >= d) other = fmaxf(other, s[t - d]);
        __syncthreads();
        s[t] = other;
        __syncthreads();
        d += d;
    }
    if (i < n) env[i] = s[t];
}
void launch(const float *samples, float *env, int n) { envelope<<<(n + 1023) / 1024, 1024>>>(samples, env, n); }
