// (B, S, H) -> (B, H, S)
__global__ void permute_0213(const float* src, float* dst, int B, int S, int H)
{
    const int h = blockIdx.x * blockDim.x + threadIdx.x;
    const int s = blockIdx.y * blockDim.y + threadIdx.y;
    const int b = blockIdx.z;
    if (h < H && s < S)
        dst[(b * H + h) * S + s] = src[(b * S + s) * H + h];
}
void permute(const float* src, float* dst, int B, int S, int H)
{
    dim3 threads(16, 16, 1);
    dim3 blocks((H + 15) / 16, (S + 15) / 16, B);
    permute_0213<<<blocks, threads>>>(src, dst, B, S, H);
}
