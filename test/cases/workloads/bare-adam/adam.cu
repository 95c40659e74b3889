// fused Adam step over a flat parameter buffer
__global__ void adam_step(float* __restrict__ p, const float* __restrict__ g, float* __restrict__ m, float* __restrict__ v,
                          float lr, float beta1, float beta2, float eps, float weight_decay, int step, long n)
{
    const long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float c1 = 1.f - powf(beta1, step);
    const float c2 = 1.f - powf(beta2, step);
    float grad = g[i] + weight_decay * p[i];
    m[i] = beta1 * m[i] + (1.f - beta1) * grad;
    v[i] = beta2 * v[i] + (1.f - beta2) * grad * grad;
    p[i] -= lr * (m[i] / c1) / (sqrtf(v[i] / c2) + eps);
}
