#define BM 16
#define BN 16

__global__ void gemm_skinny(const float *lhs, const float *rhs, float *dst, int m, int n, int k)
{
    int j = blockIdx.x * BN + threadIdx.x;
    int i = blockIdx.y * BM + threadIdx.y;
    if (i < m && j < n) {
        float v = 0.f;
        for (int p = 0; p < k; p++)
            v += lhs[i * k + p] * rhs[p * n + j];
        dst[i * n + j] = v;
    }
}

void launch_skinny(const float *lhs, const float *rhs, float *dst, int m, int n, int k)
{
    dim3 blk(BN, BM);
    dim3 grd((n + BN - 1) / BN, (m + BM - 1) / BM);
    gemm_skinny<<<grd, blk>>>(lhs, rhs, dst, m, n, k);
}
