#include <stdint.h>

/* maps each channel of an RGB image through its own table of 256 entries (the tables lie one behind the other) */
__global__ void apply_lut(const uint8_t *src, uint8_t *dst, const uint8_t *lut, int pixels)
{
	int p = blockIdx.x * blockDim.x + threadIdx.x;

	if (p < pixels) {
		int c;
		for (c = 0; c < 3; ++c)
			dst[3 * p + c] = lut[256 * c + src[3 * p + c]];
	}
}
