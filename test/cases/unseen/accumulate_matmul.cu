__global__ void mm(float *A, float *B, float *C, int n)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;
	if (i < n && j < n) {
		C[i*n+j] = 0;
		for (int k = 0; k < n; k++)
			C[i*n+j] += A[i*n+k] * B[k*n+j];
	}
}
void multiply(float *A, float *B, float *C, int n)
{
	dim3 t(16,16);
	dim3 b((n+15)/16,(n+15)/16);
	mm<<<b,t>>>(A,B,C,n);
}
