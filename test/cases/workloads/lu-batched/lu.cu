#include <cstdio>
#include <cmath>

#define N 8
#define BATCH 40

/* LU without pivoting of many 8x8 systems, then both substitutions: a block a system, a thread a row */
__global__ void lu_solve(const float *A, const float *b, float *x)
{
	__shared__ float a[N][N + 1];
	__shared__ float y[N];
	const int r = threadIdx.x;
	const float *Ab = A + blockIdx.x * N * N;
	for (int c = 0; c < N; c++) a[r][c] = Ab[r * N + c];
	y[r] = b[blockIdx.x * N + r];
	__syncthreads();
	for (int k = 0; k < N - 1; k++) {
		if (r > k) {
			float m = a[r][k] / a[k][k];
			for (int c = k + 1; c < N; c++) a[r][c] -= m * a[k][c];
			y[r] -= m * y[k];
		}
		__syncthreads();
	}
	for (int k = N - 1; k >= 0; k--) {
		if (r == k) y[k] /= a[k][k];
		__syncthreads();
		if (r < k) y[r] -= a[r][k] * y[k];
		__syncthreads();
	}
	x[blockIdx.x * N + r] = y[r];
}

int main()
{
	static float A[BATCH][N][N], b[BATCH][N], x[BATCH][N];
	for (int s = 0; s < BATCH; s++)
		for (int i = 0; i < N; i++) {
			b[s][i] = (s + i) % 7 - 3.f;
			for (int j = 0; j < N; j++) A[s][i][j] = i == j ? 10.f + s % 3 : ((s * 31 + i * 7 + j * 3) % 11 - 5) / 5.f;
		}
	float *dA, *db, *dx;
	cudaMalloc(&dA, sizeof A);
	cudaMalloc(&db, sizeof b);
	cudaMalloc(&dx, sizeof x);
	cudaMemcpy(dA, A, sizeof A, cudaMemcpyHostToDevice);
	cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
	lu_solve<<<BATCH, N>>>(dA, db, dx);
	cudaMemcpy(x, dx, sizeof x, cudaMemcpyDeviceToHost);
	float worst = 0;
	for (int s = 0; s < BATCH; s++)
		for (int i = 0; i < N; i++) {
			float r = -b[s][i];
			for (int j = 0; j < N; j++) r += A[s][i][j] * x[s][j];
			worst = fmaxf(worst, fabsf(r));
		}
	printf("residual %g\n", worst);
	return worst < 1e-4f ? 0 : 1;
}
