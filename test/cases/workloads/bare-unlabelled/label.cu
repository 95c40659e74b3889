#define NO_LABEL -1

// points that no disc has taken yet and that lie in this one
__global__ void label_disc(const float* px, const float* py, int* label, float cx, float cy, float radius, int disc, int points)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= points)
        return;
    if (label[p] == NO_LABEL) {
        float dx = px[p] - cx;
        float dy = py[p] - cy;
        if (dx * dx + dy * dy < radius * radius)
            label[p] = disc;
    }
}
