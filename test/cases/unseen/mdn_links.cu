// Link functions of a Student-t mixture density head.
// The network's last layer emits quadruples: location, scale, weight logit, degrees of freedom.
__device__ float softplus(float v)
{
    return fmaxf(v, 0.0f) + log1pf(expf(-fabsf(v)));
}

__global__ void mdn_links(const float* raw, float* params, int count)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < count) {
        float v = raw[i];
        float out;
        switch (i & 3) {
        case 0:
            out = 5.0f * tanhf(0.2f * v);
            break;
        case 1:
            out = softplus(v) + 0.001f;
            break;
        case 2:
            out = 1.0f / (1.0f + expf(-v));
            break;
        default:
            out = 2.0f + sqrtf(softplus(v) + v * v);
            break;
        }
        params[i] = out;
    }
}
