// tinyjpg: forward DCT. Scales the coefficients for the quantiser, rounding is done by the
// entropy coder. One thread block does a strip of neighbouring 8x8 blocks of a row.
#include <cstdint>

#define DCT 8
#define MAX_STRIP 88  // enough for a whole row of my 704 pixel wide test pictures

__device__ inline float pixel(const uint8_t* img, int w, int h, int x, int y)
{
    x = x < w ? x : w - 1;  // replicate the edge
    y = y < h ? y : h - 1;
    return img[y * w + x] - 128.0f;
}

__global__ void fdct_strip(const uint8_t* __restrict__ img, int w, int h, int blocks_x, int strip,
                           const float* __restrict__ rq, float* __restrict__ coef)
{
    __shared__ float pix[MAX_STRIP][DCT][DCT];
    __shared__ float tmp[MAX_STRIP][DCT][DCT];
    __shared__ float basis[DCT][DCT + 1];

    const int x = threadIdx.x, y = threadIdx.y;
    const int first = blockIdx.x * strip;
    const int count = min(strip, blocks_x - first);

    // basis[u][k] = c(u)/2 * cos((2k+1) u pi / 16)
    basis[y][x] = (y == 0 ? 0.35355339f : 0.5f) * cospif((2 * x + 1) * y * (1.0f / 16.0f));

    for (int b = 0; b < count; b++)
        pix[b][y][x] = pixel(img, w, h, (first + b) * DCT + x, blockIdx.y * DCT + y);
    __syncthreads();

    // rows
    for (int b = 0; b < count; b++) {
        float s = 0.0f;
        for (int k = 0; k < DCT; k++)
            s += pix[b][y][k] * basis[x][k];
        tmp[b][y][x] = s;
    }
    __syncthreads();

    // columns
    const float scale = rq[y * DCT + x];
    float* out = coef + (blockIdx.y * blocks_x + first) * DCT * DCT;
    for (int b = 0; b < count; b++) {
        float s = 0.0f;
        for (int k = 0; k < DCT; k++)
            s += tmp[b][k][x] * basis[y][k];
        out[b * DCT * DCT + y * DCT + x] = s * scale;
    }
}

void fdct(const uint8_t* img, int w, int h, const float* rq, float* coef)
{
    const int strip = 4;
    const int bx = (w + DCT - 1) / DCT, by = (h + DCT - 1) / DCT;
    fdct_strip<<<dim3((bx + strip - 1) / strip, by), dim3(DCT, DCT)>>>(img, w, h, bx, strip, rq, coef);
}
