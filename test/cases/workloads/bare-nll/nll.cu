// negative log likelihood of one class for each sample: `target` says which, from 0 to below `classes`
__global__ void nll_loss(const float *scores, const int *target, float *loss, int samples, int classes)
{
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= samples)
        return;
    const float *own = scores + s * classes;
    float largest = own[0];
    for (int k = 1; k < classes; k++)
        largest = max(largest, own[k]);
    float total = 0.0f;
    for (int k = 0; k < classes; k++)
        total += __expf(own[k] - largest);
    loss[s] = __logf(total) - (own[target[s]] - largest);
}
