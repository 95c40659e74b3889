/* dsplib: first-order recursive filter, channels side by side in memory (planar) */
typedef float sample_t;

struct iir_coef { sample_t a, b; };

__global__ void iir_run(sample_t *out, const sample_t *in, struct iir_coef c, int channels, int length)
{
	int ch = blockIdx.x * blockDim.x + threadIdx.x;
	sample_t state;
	int i;

	if (ch >= channels)
		return;
	state = 0.0f;
	for (i = 0; i < length; i++) {
		state = c.a * in[i * channels + ch] + c.b * state;
		out[i * channels + ch] = state;
	}
}

extern "C" int iir_process(sample_t *out, const sample_t *in, float a, float b, int channels, int length)
{
	struct iir_coef c;
	c.a = a;
	c.b = b;
	iir_run<<<(channels + 31) / 32, 32>>>(out, in, c, channels, length);
	return 0;
}
