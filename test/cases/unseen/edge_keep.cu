// Edge-preserving smoothing
__global__ void edge_keep(const float* in, float* out, int w, int h, float inv_s, float inv_r)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float c = in[y * w + x], acc = 0, nrm = 0;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++) {
            int xx = min(max(x + dx, 0), w - 1), yy = min(max(y + dy, 0), h - 1);
            float v = in[yy * w + xx];
            float wt = __expf(-(dx * dx + dy * dy) * inv_s - (v - c) * (v - c) * inv_r);
            acc += wt * v; nrm += wt;
        }
    out[y * w + x] = acc / nrm;
}
void run(const float* in, float* out, int w, int h) {
    edge_keep<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(in, out, w, h, 0.05f, 2.0f);
}
