__constant__ uchar4 swatches[256];
static __constant__ short dither[16];

// indexed picture to true colour, with a pattern added to red
__global__ void true_colour(const unsigned char* codes, short4* pixels, int across, int down)
{
    const int x = blockDim.x * blockIdx.x + threadIdx.x;
    const int y = blockDim.y * blockIdx.y + threadIdx.y;
    if (x >= across || y >= down) return;
    const uchar4 swatch = swatches[codes[y * across + x]];
    const short noise = dither[(y & 3) * 4 + (x & 3)];
    pixels[y * across + x] = make_short4(swatch.x + noise, swatch.y, swatch.z, swatch.w);
}
