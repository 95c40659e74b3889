typedef unsigned char u8;

/* contrast and brightness of an 8-bit image, in place */
__global__ void adjust(u8 *image, int width, int height, float contrast, int brightness)
{
	const int col = blockIdx.x * blockDim.x + threadIdx.x;
	const int row = blockIdx.y * blockDim.y + threadIdx.y;
	if (col >= width || row >= height)
		return;
	float v = contrast * (image[row * width + col] - 128) + 128 + brightness;
	image[row * width + col] = (u8)(v < 0 ? 0 : v > 255 ? 255 : v);
}
