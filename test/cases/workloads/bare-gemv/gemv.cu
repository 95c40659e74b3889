// y = A x, one warp for each row; blockDim = (32, 4)
__global__ void gemv_warp(const float *A, const float *x, float *y, int m, int n)
{
	int row = blockIdx.x * blockDim.y + threadIdx.y;
	if (row >= m) return;
	float s = 0.0f;
	for (int j = threadIdx.x; j < n; j += warpSize)
		s += A[row * n + j] * x[j];
	for (int d = warpSize / 2; d > 0; d /= 2)
		s += __shfl_down_sync(0xffffffff, s, d);
	if (threadIdx.x == 0)
		y[row] = s;
}
