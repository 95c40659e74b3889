__global__ void scaleRows(const float *a, const float *s, float *o, size_t R, size_t C)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < R * C) {
        size_t r = i / C;
        size_t c = i % C;
        o[r * C + c] = a[r * C + c] * s[r];
    }
}
void scale_rows(const float *a, const float *s, float *o, size_t R, size_t C)
{
    scaleRows<<<(R * C + 255) / 256, 256>>>(a, s, o, R, C);
}
