#define WINDOW 16

typedef float real;

__global__ void moving_avg(const real *in, real *out, long n)
{
	long gid = (long)blockIdx.x * blockDim.x + threadIdx.x;
	long stride = (long)gridDim.x * blockDim.x;

	while (gid < n) {
		real s = 0;
		for (int k = -WINDOW; k <= WINDOW; k++) {
			long j = gid + k;
			if (j >= 0 && j < n)
				s += in[j];
		}
		out[gid] = s / (2 * WINDOW + 1);
		gid += stride;
	}
}

void smooth_signal(const real *in, real *out, long n)
{
	int tpb = 256;
	int nb = (n + tpb - 1) / tpb;
	moving_avg<<<nb, tpb>>>(in, out, n);
}
