__global__ void assign(const float *pts, const float *cen, int *label, int n, int k, int d)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n) return;
    float best = 1e30f;
    int who = 0;
    for (int c = 0; c < k; c++) {
        float dist = 0;
        for (int j = 0; j < d; j++) {
            float diff = pts[p * d + j] - cen[c * d + j];
            dist += diff * diff;
        }
        if (dist < best) { best = dist; who = c; }
    }
    label[p] = who;
}
void kmeans_assign(const float *pts, const float *cen, int *label, int n, int k, int d) { assign<<<(n + 255) / 256, 256>>>(pts, cen, label, n, k, d); }
